import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, MigrationExecutor, QueryFailedError, type QueryRunner } from 'typeorm';
import { forMigrations } from './data-source.options.js';
import { TRY_LOCK, UNLOCK } from './locks/session-lock.sql.js';

/** Names the lock among the advisory locks of the database: "migrate" in ASCII, cut to 31 bits. */
const MIGRATION_LOCK = 0x6d696772;
const LOCK_POLL_MS = 100;
/** A process that starts meanwhile gives up after this time. */
const LOCK_WAIT_MS = 5 * 60_000;

/** How long, and with which pauses, a migration is tried again whose tables are in use. */
const TABLE_WAIT_MS = 10 * 60_000;
const TABLE_PAUSE_MS = 1_000;
/** What Postgres says when `lock_timeout` is over. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs the pending migrations, one process at a time: of several that start together the first migrates and the others
 * find nothing left to do. It has connections of its own, because a large table takes longer than a request may.
 * @returns the names of those that it has made.
 * @throws Error when another process does not end within five minutes, or the tables stay in use for ten; what a
 *   migration throws.
 */
export async function runPendingMigrations({ options }: Pick<DataSource, 'options'>): Promise<string[]> {
  const dataSource = await new DataSource(forMigrations(options)).initialize();
  try {
    const runner = dataSource.createQueryRunner();
    for (let waited = 0; !(await tryLock(runner)); waited += LOCK_POLL_MS) {
      if (waited >= LOCK_WAIT_MS) throw new Error('Another process has been migrating the database for five minutes.');
      await sleep(LOCK_POLL_MS);
    }
    try {
      return await migrate(dataSource);
    } finally {
      await runner.query(UNLOCK, [MIGRATION_LOCK]);
      await runner.release();
    }
  } finally {
    await dataSource.destroy();
  }
}

/** Those that were made before one has to wait are committed, so each try begins with the one that waited. */
async function migrate(dataSource: DataSource): Promise<string[]> {
  const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
  const end = performance.now() + TABLE_WAIT_MS;
  while (!(await areMade(dataSource))) {
    if (performance.now() > end) {
      throw new Error(
        'The tables to migrate have been in use for ten minutes: end what reads them, and migrate again.',
      );
    }
    await sleep(TABLE_PAUSE_MS);
  }
  return pending.map(({ name }) => name);
}

/** False when a table was in use. */
async function areMade(dataSource: DataSource): Promise<boolean> {
  try {
    await dataSource.runMigrations();
    return true;
  } catch (error) {
    const driverError: unknown = error instanceof QueryFailedError ? error.driverError : null;
    const isInUse = driverError instanceof Error && 'code' in driverError && driverError.code === LOCK_NOT_AVAILABLE;
    if (!isInUse) throw error;
    return false;
  }
}

/** True when it took the lock. */
async function tryLock(runner: QueryRunner): Promise<boolean> {
  const [row] = await runner.manager.query<{ taken: boolean }[]>(TRY_LOCK, [MIGRATION_LOCK]);
  return row?.taken === true;
}
