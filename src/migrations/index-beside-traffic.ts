import type { QueryRunner } from 'typeorm';
import { asOne } from './as-one.js';

/** An index: the table with the columns, and which rows it has. */
type IndexDefinition = `${string} (${string})${string}`;

/**
 * Makes an index, or makes it anew, while everybody goes on reading and writing the table, however long that takes. The
 * migration must have `transaction = false`. One that was interrupted may be run again.
 */
export async function makeIndexBesideTraffic(
  runner: QueryRunner,
  name: string,
  definition: IndexDefinition,
): Promise<void> {
  const made = `${name}_made`;
  if (!(await isWhole(runner, made))) {
    // It waits for the transactions that run, and nobody waits behind it.
    await runner.query('SET lock_timeout = 0');
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${made}`);
    await runner.query(`CREATE INDEX CONCURRENTLY ${made} ON ${definition}`);
    await runner.query('RESET lock_timeout');
  }
  await asOne(runner, async () => {
    await runner.query(`DROP INDEX IF EXISTS ${name}`);
    await runner.query(`ALTER INDEX ${made} RENAME TO ${name}`);
  });
}

/** False for what an interrupted run has left. */
async function isWhole(runner: QueryRunner, index: string): Promise<boolean> {
  const found: unknown[] = await runner.query(
    'SELECT indexrelid FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid',
    [index],
  );
  return found.length === 1;
}
