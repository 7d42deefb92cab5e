import { localClient } from '../local-client.js';
import { Progress, type WriteLine } from '../processes/progress.js';
import { startTemporaryMarket } from '../local-market/temporary-market.js';
import { sizeOfTable, TABLES } from './task-data.sql.js';

/**
 * `npm run bench -- --only growth`: prints how many rows, and bytes of rows without indexes, each table has per task of
 * the sample market, whose tasks are in every status. It has no bar.
 */
export async function benchGrowth(write: WriteLine): Promise<boolean> {
  const market = await startTemporaryMarket('bench', { service: {}, postgres: {} }, new Progress(write, false));
  const client = localClient(market.file.database_url);
  try {
    await client.connect();
    const sizeOf = async (table: string) => {
      const { rows } = await client.query<{ rows: number; bytes: number }>(sizeOfTable(table));
      return rows[0] ?? { rows: 0, bytes: 0 };
    };
    const { rows: tasks } = await sizeOf('tasks');
    const { rows: tables } = await client.query<{ name: string }>(TABLES);
    write(`\n  ${tasks} tasks\n  ${'table'.padEnd(26)} rows a task  bytes a task`);
    for (const { name } of tables) {
      const { rows, bytes } = await sizeOf(name);
      write(
        `  ${name.padEnd(26)} ${(rows / tasks).toFixed(2).padStart(11)} ${(bytes / tasks).toFixed(0).padStart(13)}`,
      );
    }
    return true;
  } finally {
    await client.end().catch(() => undefined);
    await market.stop();
  }
}
