import type { QueryRunner } from 'typeorm';

/** Runs a part of a migration that has `transaction = false` in a transaction of its own. */
export async function asOne(runner: QueryRunner, part: () => Promise<void>): Promise<void> {
  await runner.startTransaction();
  try {
    await part();
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}
