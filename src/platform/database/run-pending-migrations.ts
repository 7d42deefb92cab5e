import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { TRY_LOCK, UNLOCK } from './locks/session-lock.sql.js';

/** Names the lock among the advisory locks of the database: "migrate" in ASCII, cut to 31 bits. */
const MIGRATION_LOCK = 0x6d696772;
const LOCK_POLL_MS = 100;
/** A process that starts meanwhile gives up after this time. */
const LOCK_WAIT_MS = 5 * 60_000;

/**
 * Runs the pending migrations, one process at a time: of several that start together the first migrates and the others
 * find nothing left to do.
 * @throws Error when another process does not end within five minutes; what a migration throws.
 */
export async function runPendingMigrations(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    for (let waited = 0; !(await tryLock(runner)); waited += LOCK_POLL_MS) {
      if (waited >= LOCK_WAIT_MS) throw new Error('Another process has been migrating the database for five minutes.');
      await sleep(LOCK_POLL_MS);
    }
    try {
      await dataSource.runMigrations();
    } finally {
      await runner.query(UNLOCK, [MIGRATION_LOCK]);
    }
  } finally {
    await runner.release();
  }
}

/** True when it took the lock. It never waits for the lock, because a statement may not take long. */
async function tryLock(runner: ReturnType<DataSource['createQueryRunner']>): Promise<boolean> {
  const [row] = await runner.manager.query<{ taken: boolean }[]>(TRY_LOCK, [MIGRATION_LOCK]);
  return row?.taken === true;
}
