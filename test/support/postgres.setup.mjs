import { chmodSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Jest runs every project's global set-up in one process: what is started is kept in one list and stopped in reverse
 * order by whichever teardown runs.
 */
export const started = (globalThis.__TASKTREE_STARTED__ ??= []);

/** A module of the built local market: it knows how to run Postgres as root and from a folder only root may enter. */
export function built(name) {
  const file = join(process.cwd(), 'dist/src/dev', name);
  if (!existsSync(file)) throw new Error(`${file} is missing: run \`npm run build\` before the specs`);
  return import(pathToFileURL(file).href);
}

/** One throw-away Postgres for the whole run; every spec makes its own database in it (see database.ts). */
export default async function startPostgres() {
  if (process.env.TEST_POSTGRES_URL) return;
  const { startPostgres: start } = await built('local-market/embedded-postgres.js');
  const { MarketFolder } = await built('market-folder/market-folder.js');
  const folder = new MarketFolder(mkdtempSync(join(tmpdir(), 'tasktree-test-pg-')));
  // As root Postgres runs as another user, who must get through.
  chmodSync(folder.path, 0o711);
  const { url, child } = await start(folder, 'password', () => {});
  process.env.TEST_POSTGRES_URL = url.slice(0, url.lastIndexOf('/'));
  started.push(async () => {
    await child.stop();
    folder.remove();
  });
}
