import { AsyncLocalStorage } from 'node:async_hooks';
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

/** One ambient transaction: whoever asks for `manager` inside `run` joins it, so a write is one transaction. */
@Injectable()
export class Transactions {
  private readonly current = new AsyncLocalStorage<EntityManager>();

  constructor(private readonly dataSource: DataSource) {}

  /** The running transaction's manager, or one that commits each statement by itself. */
  get manager(): EntityManager {
    return this.current.getStore() ?? this.dataSource.manager;
  }

  /** Runs `work` in the ambient transaction, opening one if there is none; an error rolls everything back. */
  run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const running = this.current.getStore();
    if (running) return work(running);
    return this.dataSource.transaction((manager) => this.current.run(manager, () => work(manager)));
  }
}
