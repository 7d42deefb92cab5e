import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { types } from 'node:util';
import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { DataSource, type EntityManager, QueryFailedError } from 'typeorm';

/** A statement for the hot path. Each connection parses and plans it once: one name, one text, for good. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Runs a prepared statement in the manager's transaction, or by itself when it has none. Values of the rows are as `pg`
 * parses them, their names as the statement gives them; an UPDATE answers what it returns.
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

async function rowsOf<Row extends object>(
  connection: pg.Client,
  { name, text }: PreparedStatement,
  values: unknown[],
): Promise<Row[]> {
  try {
    return (await connection.query<Row>({ name, text, values })).rows;
  } catch (error) {
    throw types.isNativeError(error) ? new QueryFailedError(text, values, error) : error;
  }
}

interface RunningTransaction {
  readonly manager: EntityManager;
  /** What is told in this process when it has committed. */
  readonly told: (() => void)[];
}

/** One ambient transaction: whoever asks for `manager` inside `run` joins it, so a write is one transaction. */
@Injectable()
export class Transactions {
  private readonly current = new AsyncLocalStorage<RunningTransaction>();
  private readonly notices = new EventEmitter<Record<string, [payload: string]>>();

  constructor(private readonly dataSource: DataSource) {}

  /** The running transaction's manager, or one that commits each statement by itself. */
  get manager(): EntityManager {
    return this.current.getStore()?.manager ?? this.dataSource.manager;
  }

  /** Runs `work` in the ambient transaction, opening one if there is none; an error rolls everything back. */
  async run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const running = this.current.getStore();
    if (running) return work(running.manager);
    const told: (() => void)[] = [];
    const result = await this.dataSource.transaction((manager) =>
      this.current.run({ manager, told }, () => work(manager)),
    );
    for (const tell of told) tell();
    return result;
  }

  /**
   * Tells every process by Postgres NOTIFY, when what is being written commits. The handlers of this process do not wait
   * for Postgres to come round: they have run when the transaction is over, and run again when its word arrives.
   */
  async notify(channel: string, payload: string): Promise<void> {
    await this.manager.query('SELECT pg_notify($1, $2)', [channel, payload]);
    const tell = () => void this.notices.emit(channel, payload);
    const running = this.current.getStore();
    if (running) running.told.push(tell);
    else tell();
  }

  /** @param handler gets what this process tells on the channel, once it is committed. */
  onNotify(channel: string, handler: (payload: string) => void): void {
    this.notices.on(channel, handler);
  }
}
