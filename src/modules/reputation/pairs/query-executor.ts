import type { EntityManager } from 'typeorm';
import { type PreparedStatement, runPrepared, runWithNext } from '../../../platform/database/transactions.js';

/**
 * Where statements run: in the transaction of a block, or in that of a trust run, which has a thread and a connection of
 * its own. One code keeps the evidence in both.
 */
export interface QueryExecutor {
  /** Values of the rows are as `pg` parses them: `numeric` and `bigint` as text. */
  rows<Row extends object>(statement: PreparedStatement, values: unknown[]): Promise<Row[]>;

  /** Runs one whose rows nobody reads; it may wait for the next to leave with it, and see what is there then. */
  send(statement: PreparedStatement, values: unknown[]): Promise<void>;
}

/** Statements in the manager's transaction. */
export function queryExecutorOf(manager: EntityManager): QueryExecutor {
  return {
    rows: (statement, values) => runPrepared(manager, statement, values),
    send: (statement, values) => runWithNext(manager, statement, values),
  };
}
