import type { EntityManager } from 'typeorm';
import { type PreparedStatement, runPrepared, runWithNext } from '../../../platform/database/transactions.js';

/**
 * Runs statements in the transaction of a block, or in that of a trust run with its separate thread and connection. It
 * lets the same code update the evidence in both.
 */
export interface QueryExecutor {
  /** Runs a statement and returns its rows, with values as `pg` parses them: `numeric` and `bigint` as text. */
  rows<Row extends object>(statement: PreparedStatement, values: unknown[]): Promise<Row[]>;

  /**
   * Runs a statement whose rows are not needed. It may be delayed and sent together with the next statement, and then
   * sees the data of that moment.
   */
  send(statement: PreparedStatement, values: unknown[]): Promise<void>;
}

/** Statements in the manager's transaction. */
export function queryExecutorOf(manager: EntityManager): QueryExecutor {
  return {
    rows: (statement, values) => runPrepared(manager, statement, values),
    send: (statement, values) => runWithNext(manager, statement, values),
  };
}
