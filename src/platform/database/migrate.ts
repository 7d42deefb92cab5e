import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { TRY_LOCK, UNLOCK } from './locks/session-lock.sql.js';

/** Names the lock among the advisory locks of the database: "migrate" in ASCII, cut to 31 bits. */
const LOCK = 0x6d696772;
const LOOK_MS = 100;
const PATIENCE_MS = 5 * 60_000;

/**
 * Runs the pending migrations, one process at a time: of several that start together the first migrates and the others
 * find nothing left to do.
 * @throws Error when another process does not end within five minutes; what a migration throws.
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    for (let waited = 0; !(await takes(runner)); waited += LOOK_MS) {
      if (waited >= PATIENCE_MS) throw new Error('Another process has been migrating the database for five minutes.');
      await sleep(LOOK_MS);
    }
    try {
      await dataSource.runMigrations();
    } finally {
      await runner.query(UNLOCK, [LOCK]);
    }
  } finally {
    await runner.release();
  }
}

/** True when it took the lock. It never waits for the lock, because a statement may not take long. */
async function takes(runner: ReturnType<DataSource['createQueryRunner']>): Promise<boolean> {
  const [row] = await runner.manager.query<{ taken: boolean }[]>(TRY_LOCK, [LOCK]);
  return row?.taken === true;
}
