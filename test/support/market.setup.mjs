import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built, started } from './postgres.setup.mjs';

const MAIN = 'dist/src/dev/local-market.main.js';
/**
 * Limits that no spec reaches: specs send more requests a minute than a person, and other specs test the limits. The
 * values equal those of oauth-service.ts, because processes that share a database must agree on the quota that their
 * leases are parts of.
 */
const GENEROUS = {
  RATE_LIMIT_PRINCIPAL: '100000',
  RATE_LIMIT_PREPARE: '100000',
  RATE_LIMIT_ACCOUNT: '100000',
  RATE_LIMIT_ACCOUNT_PREPARE: '100000',
  RATE_LIMIT_IP: '100000',
  RATE_LIMIT_AUTH_FAILURES: '100000',
  RATE_LIMIT_TOKEN: '100000',
  RATE_LIMIT_TOKEN_CLIENT: '100000',
  RATE_LIMIT_BODY_BYTES: '1000000000',
  RATE_LIMIT_AGENT_WORDS: '1000000',
  RATE_LIMIT_REGISTRATION: '100000',
  RATE_LIMIT_REGISTRATION_TOTAL: '1000000',
  RATE_LIMIT_SIGN_IN: '100000',
  AUDIT_ANONYMOUS_ROWS: '100000',
  QUOTA_TASKS: '0',
  QUOTA_ACTIONS: '0',
  QUOTA_AGENTS: '0',
  RATE_LIMIT_SIGN_IN_TOTAL: '1000000',
};

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
