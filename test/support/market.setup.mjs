import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built, started } from './postgres.setup.mjs';

const MAIN = 'dist/service/local-market.js';
/**
 * Limits that no spec reaches: specs send more requests a minute than a person, and other specs test the limits. The
 * processes that oauth-service.ts starts have the same, because processes that share a database must agree on the quota
 * that their leases are parts of.
 */
const GENEROUS = JSON.parse(readFileSync(new URL('generous-limits.json', import.meta.url), 'utf8'));

/** Starts one local market for the whole e2e run, as a person starts it. Specs read it through market.ts. */
export default async function startMarket() {
  if (process.env.TEST_MARKET_FILE) return;
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run \`npm run build\` before the e2e specs`);
  const { MarketFolder } = await built('market-folder/market-folder.js');
  const folder = mkdtempSync(join(tmpdir(), 'tasktree-e2e-'));
  // As root, Postgres runs as another user, who must be able to enter this folder.
  chmodSync(folder, 0o711);
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [MAIN, '--data-dir', folder], {
    env: { PATH, HOME, ...GENEROUS },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      if (output.includes('Serving after')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the local market ended with ${code} before it served:\n${output}`)));
  });
  process.env.TEST_MARKET_FILE = join(folder, 'local.json');
  started.push(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    // Also removes what a Postgres that could not enter its folder has put elsewhere.
    new MarketFolder(folder).remove();
  });
}
