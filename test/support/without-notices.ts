import type { DataSource } from 'typeorm';

/**
 * Runs `work` while processes hear nothing about changed credentials: Postgres' backends of the listening connections
 * are stopped, so the connections stay open and silent until `work` is done, as on a busy machine.
 */
export async function withoutNotices(dataSource: DataSource, work: () => Promise<void>): Promise<void> {
  const listeners = await dataSource.query<{ pid: number }[]>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'tasktree-credentials' AND datname = current_database()`,
  );
  if (listeners.length === 0) throw new Error('No process listens for changed credentials');
  for (const { pid } of listeners) process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    for (const { pid } of listeners) process.kill(pid, 'SIGCONT');
  }
}
