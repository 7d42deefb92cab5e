import type { DataSource } from 'typeorm';

/** Locks a table while `work` runs: whoever reads or writes it waits until `work` is done. */
export async function lockedTable<T>(dataSource: DataSource, table: string, work: () => Promise<T>): Promise<T> {
  const lock = dataSource.createQueryRunner();
  await lock.startTransaction();
  try {
    await lock.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return await work();
  } finally {
    await lock.rollbackTransaction();
    await lock.release();
  }
}
