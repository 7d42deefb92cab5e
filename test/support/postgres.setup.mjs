import { chmodSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Everything that was started. Jest runs the global set-up of all projects in one process, so one list holds it all,
 * and whichever teardown runs stops it in reverse order.
 */
export const started = (globalThis.__TASKTREE_STARTED__ ??= []);

/**
 * Imports a module of the built local market, which knows how to run Postgres as root, in a folder that only root may
 * enter.
 */
export function built(name) {
  const file = join(process.cwd(), 'dist/src/dev', name);
  if (!existsSync(file)) throw new Error(`${file} is missing: run \`npm run build\` before the specs`);
  return import(pathToFileURL(file).href);
}

/**
 * A vacuum or an analysis of Postgres's own in the middle of a spec has its plans made anew, by the sizes of that moment and
 * statistics from when the tables were empty: what a spec then counts would depend on when the server looks around.
 */
const SETTINGS = { autovacuum: 'off' };

/** Starts one temporary Postgres for the whole run. Each spec makes its own database in it (see database.ts). */
export default async function startPostgres() {
  if (process.env.TEST_POSTGRES_URL) return;
  const { startPostgres: start } = await built('local-market/embedded-postgres.js');
  const { MarketFolder } = await built('market-folder/market-folder.js');
  const folder = new MarketFolder(mkdtempSync(join(tmpdir(), 'tasktree-test-pg-')));
  // As root, Postgres runs as another user, who must be able to enter this folder.
  chmodSync(folder.path, 0o711);
  const { url, child } = await start(folder, { password: 'password', settings: SETTINGS }, () => {});
  process.env.TEST_POSTGRES_URL = url.slice(0, url.lastIndexOf('/'));
  started.push(async () => {
    await child.stop();
    folder.remove();
  });
}
