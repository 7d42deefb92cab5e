import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { MarketChild } from '../processes/child-process.js';
import { startPostgres } from '../local-market/embedded-postgres.js';
import { localClient } from '../local-client.js';
import { MarketFolder } from '../market-folder/market-folder.js';
import { stopOnSignals } from '../processes/stop-signals.js';

/** Runs `work` on a new, empty database and deletes it afterwards, also when a signal ends this process. */
export async function withScratchPostgres<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const folder = new MarketFolder(mkdtempSync(join(tmpdir(), 'tasktree-eval-')));
  // Postgres may run as another user, who needs access to its folder inside.
  chmodSync(folder.path, 0o711);
  const children: MarketChild[] = [];
  const stop = async (): Promise<void> => {
    for (const child of children) await child.stop();
    folder.remove();
  };
  stopOnSignals(stop);
  try {
    const { url } = await startPostgres(folder, { password: 'password', settings: {} }, (child) =>
      children.push(child),
    );
    const client = localClient(url);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  } finally {
    await stop();
  }
}

/** The URL of the client's database, or of another one of its server. */
export function urlOf({ user, password, host, port, database }: pg.Client, other = database): string {
  return `postgres://${user ?? ''}:${String(password)}@${host}:${port}/${other ?? ''}`;
}
