import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { types } from 'node:util';
import { Injectable, Optional } from '@nestjs/common';
import pg from 'pg';
import { DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { holdStatement, sentTogether } from './batch/held-statements.js';
import { type Beginning, LateTransaction } from './late-transaction.js';
import { LookUpConnections } from './reads/read-connections.js';
import { failedStatement } from './batch/statement-batch.js';
import { refuseStrayWrite } from './write-stage.js';

/**
 * A statement for the hot path. Each connection parses and plans it once, so a name must always stand for the same
 * text.
 */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Runs a prepared statement in the manager's transaction, or by itself when it has none. Values of the rows are as `pg`
 * parses them, their names as the statement gives them; an UPDATE gives the rows of its RETURNING.
 * @throws QueryFailedError around the driver's error, as every statement of the manager does.
 */
export async function runPrepared<Row extends object>(
  manager: EntityManager,
  statement: PreparedStatement,
  values: unknown[],
): Promise<Row[]> {
  const runner = manager.queryRunner ?? manager.dataSource.createQueryRunner();
  try {
    const connection: unknown = await runner.connect();
    if (!(connection instanceof pg.Client)) throw new TypeError('The connection is not one of pg');
    return await rowsOf<Row>(connection, statement, values);
  } finally {
    if (runner !== manager.queryRunner) await runner.release();
  }
}

/**
 * Runs a statement whose rows nobody reads, in the manager's transaction: it is sent with the next statement, at the
 * latest with COMMIT, which then throws its error. Without a transaction it runs at once. Without a name it is planned
 * for these values.
 */
export async function runWithNext(
  manager: EntityManager,
  { name, text }: Pick<PreparedStatement, 'text'> & Partial<PreparedStatement>,
  values: unknown[],
): Promise<void> {
  const runner = manager.queryRunner;
  if (runner?.isTransactionActive) {
    refuseStrayWrite(text);
    if (holdStatement(await runner.connect(), { ...(name === undefined ? {} : { name }), text, values })) return;
  }
  if (name === undefined) await manager.query(text, values);
  else await runPrepared(manager, { name, text }, values);
}

/** A prepared statement with its values. */
export type BoundStatement = PreparedStatement & { readonly values: unknown[] };

/**
 * Runs prepared statements one after the other, and waits once for all of them. Without a transaction each commits by
 * itself.
 * @returns the rows of each, as `runPrepared`.
 * @throws as `runPrepared`, of the first that fails; those behind it are not executed.
 */
export async function runTogether(manager: EntityManager, statements: readonly BoundStatement[]): Promise<object[][]> {
  const runner = manager.queryRunner;
  if (runner?.isTransactionActive) {
    for (const { text } of statements) refuseStrayWrite(text);
    const [first] = statements;
    const sent = sentTogether(await runner.connect(), statements);
    if (sent && first) {
      const results = await sent.catch((error: unknown): never => {
        throw types.isNativeError(error) ? failureOf(error, first) : error;
      });
      return results.map(({ rows }) => rows as object[]);
    }
  }
  const rows: object[][] = [];
  for (const statement of statements) rows.push(await runPrepared(manager, statement, statement.values));
  return rows;
}

async function rowsOf<Row extends object>(
  connection: pg.Client,
  { name, text }: PreparedStatement,
  values: unknown[],
): Promise<Row[]> {
  try {
    return (await connection.query<Row>({ name, text, values })).rows;
  } catch (error) {
    throw types.isNativeError(error) ? failureOf(error, { text, values }) : error;
  }
}

/** The error as that of the statement which failed, also when it travelled with another. */
function failureOf(error: Error, sent: { text: string; values: unknown[] }): QueryFailedError {
  const { text, values = [] } = failedStatement(error) ?? sent;
  return new QueryFailedError(text, [...values], error);
}

/**
 * One ambient transaction: whoever asks for `manager` inside `run` joins it, so a write is one transaction. No server but
 * the database is asked inside it (write-stage.ts): whatever is slow comes before.
 */
@Injectable()
export class Transactions {
  private readonly current = new AsyncLocalStorage<LateTransaction>();
  private readonly notices = new EventEmitter<Record<string, [payload: string]>>();

  /** @param lookUps absent in programs that read little: they read as they write. */
  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly lookUps?: LookUpConnections,
  ) {}

  /** The running transaction's manager, or one that commits each statement by itself. */
  get manager(): EntityManager {
    return this.current.getStore()?.manager ?? this.dataSource.manager;
  }

  /**
   * Looks up rows by key: in the running transaction, which sees what it has written, else beside the look-ups of other
   * requests on connections that many share. Values are as `pg` parses them.
   * @throws what a statement of the transaction throws; else as `ReadConnections.queryParsed`.
   */
  lookUp<Row extends object>(statement: PreparedStatement, values: unknown[]): Promise<Row[]> {
    const running = this.current.getStore()?.manager;
    if (running || !this.lookUps) return runPrepared<Row>(running ?? this.dataSource.manager, statement, values);
    return this.lookUps.queryParsed<Row>(statement.name, statement.text, values);
  }

  /**
   * Runs `work` in the ambient transaction, opening one if there is none; an error rolls everything back. Inside `unit` it
   * stays open until the unit is over.
   */
  async run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const running = this.current.getStore();
    return running ? work(await running.open()) : this.unit(() => this.run(work));
  }

  /**
   * Makes one write of everything that `work` does. Its transaction opens with the first `run` inside: until then
   * `work` reads statement by statement, holds no connection, may ask others, and changes nothing (a statement that
   * would is refused). From then on all is one transaction, which ends with `work`; an error rolls everything back.
   * @param first what the transaction begins with; it is sent together with the first statement of `work`. If it fails,
   * the unit fails with its error, even when `work` catches it.
   */
  async unit<T>(work: () => Promise<T>, first?: Beginning): Promise<T> {
    if (this.current.getStore()) {
      if (first) throw new Error('A unit with a beginning of its own cannot be part of another');
      return work();
    }
    const transaction = new LateTransaction(this.dataSource, first);
    const result = await transaction.around(() => this.current.run(transaction, work));
    for (const tell of transaction.told) tell();
    return result;
  }

  /**
   * Notifies every process by Postgres NOTIFY when the transaction commits. The handlers of this process do not wait
   * for Postgres: they run right after the commit, and again when the notification of Postgres arrives.
   */
  async notify(channel: string, payload: string): Promise<void> {
    await this.run(async (manager) => {
      await manager.query('SELECT pg_notify($1, $2)', [channel, payload]);
      this.current.getStore()?.told.push(() => void this.notices.emit(channel, payload));
    });
  }

  /** @param handler gets what this process tells on the channel, once it is committed. */
  onNotify(channel: string, handler: (payload: string) => void): void {
    this.notices.on(channel, handler);
  }
}
