import { cpus, loadavg } from 'node:os';
import { version } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { searchableText } from '../../../modules/agents/agent/searchable-text.js';
import { localClient } from '../../local-client.js';
import { localSecrets } from '../../market-folder/local-secrets.js';
import { Progress, type WriteLine } from '../../processes/progress.js';
import { startTemporaryMarket, type TemporaryMarket } from '../../local-market/temporary-market.js';
import { RANKED_BY_TS_RANK } from './match-baseline.sql.js';
import { fillMatchMarket, forgetShown } from './match-market.js';
import type { MatchLoadOrder, MatchLoadResult } from '../match-load.main.js';
import { losses, type MatchTask } from './match-losses.js';
import { matchTexts } from './match-texts.js';
import { carriedOut, quantile } from '../measure.js';
import { INSERT_TASKS } from './match-market.sql.js';

const SEED = 20261122;
const TASKS = 200;
/** Number of queries with the replaced statement: fewer, because each takes seconds. */
const BASELINE_TASKS = 15;
const PAGE = 100;
/** Width of the column with the names of the measurements. */
const WIDTH = 54;
/**
 * Bars, as multiples of the time that the list of all agents takes for as many agents, asked for in turns with the
 * matches: for the median by SQL, and for the 95th percentile by the index. A number of milliseconds would depend on
 * the machine. Measured with 50,000 agents on a busy machine: 11.1 and 3.6. The bars leave room for a million agents:
 * half as much again, and twice as much.
 */
const MOST_BY_SQL = 16;
const MOST_BY_INDEX = 8;

/**
 * Limits that no run reaches; every request still takes its tokens. The chain is polled as often as in a deployment. A
 * local market polls five times as often, so that people who try it wait less.
 */
const SERVICE = {
  RATE_LIMIT_PRINCIPAL: '1000000000',
  RATE_LIMIT_ACCOUNT: '1000000000',
  RATE_LIMIT_IP: '1000000000',
  CHAIN_POLL_MS: '1000',
};

/** What a server of this many agents would have, so that their postings and rows stay in memory. */
const MEMORY = { shared_buffers: '4GB' };

/**
 * `npm run bench -- --only match [--agents N]`: measures the first 100 matches of a task over HTTP, with eligibility
 * and reasons, by the postings in the database and by the index in memory, beside the statement that both replaced. The
 * texts are public ones (docs/data.md), or made up when those are not there.
 * @returns whether both bars were met.
 */
export async function benchMatch(write: WriteLine, agents: number, data: string | null): Promise<boolean> {
  const { origins, tools, requests } = matchTexts(data, TASKS, SEED);
  for (const origin of origins) write(`  ${origin}`);
  const progress = new Progress(write, false);
  const market = await startTemporaryMarket('bench', { service: SERVICE, postgres: MEMORY }, progress);
  const { file, parts, folder, servicePid } = market;
  const client = localClient(file.database_url);
  try {
    await client.connect();
    const caller = file.accounts[0];
    if (!caller) throw new Error('The sample market has no account');
    const { postings, words } = await progress.part(
      'Agents',
      () => fillMatchMarket(client, tools, { agents, seed: SEED, servicePid }),
      (filled) => `${agents.toLocaleString('en')} agents, ${filled.postings.toLocaleString('en')} postings`,
    );
    const tasks = requests.map((text, n) => ({
      id: `task_01z${String(n).padStart(23, '0')}`,
      title: text.split(/\s+/u).slice(0, 8).join(' '),
      brief: text,
    }));
    await insertTasks(client, tasks, caller);
    const [server] = (await client.query<{ server_version: string }>('SHOW server_version')).rows;
    write(`\n  ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${version}, seed ${SEED}`);
    write(
      `  PostgreSQL ${server?.server_version ?? 'unknown'}, shared_buffers ${MEMORY.shared_buffers}, load ${loadavg()[0]?.toFixed(1) ?? 'unknown'}`,
    );
    write(`  ${agents.toLocaleString('en')} agents, ${postings.toLocaleString('en')} postings, ${words} words`);
    const sql = await measure(market, client, file.base_url, tasks);
    print(write, 'by the postings in the database', sql);
    const memory = await parts.service(null, {
      databaseUrl: file.database_url,
      rpcUrl: file.rpc_url,
      factory: file.escrow_factory_address,
      appSecret: localSecrets(folder).app_secret,
      extra: { ...SERVICE, MATCHING_INDEX: 'memory', MIGRATE_ON_START: 'false', INDEXER_ENABLED: 'false' },
    });
    const ready = await progress.part(
      'Index',
      () => indexReady(memory),
      (bytes) => `${Math.round(bytes / 2 ** 20)} MiB`,
    );
    const exact = await measure(market, client, memory.url, tasks);
    print(write, `by the index in memory (${Math.round(ready / 2 ** 20)} MiB)`, exact);
    const baseline = await measureBaseline(client, tasks.slice(0, BASELINE_TASKS), caller);
    write(
      `  ${'replaced: GIN and ts_rank, statement alone'.padEnd(WIDTH)} ${times(baseline)}  (${baseline.length} tasks)`,
    );
    const { overlap, ratio } = await losses(client, tasks, sql.tens, exact.tens);
    write(`  SQL beside exact: overlap@10 ${overlap.toFixed(3)}, ratio of relevance@10 ${ratio.toFixed(3)}`);
    return [bar(write, 'SQL', sql, 0.5, MOST_BY_SQL), bar(write, 'index', exact, 0.95, MOST_BY_INDEX)].every(Boolean);
  } finally {
    await client.end().catch(() => undefined);
    await market.stop();
  }
}

async function insertTasks(
  client: pg.Client,
  tasks: readonly MatchTask[],
  { account_id, wallet_address }: { account_id: string; wallet_address: string },
): Promise<void> {
  await client.query(INSERT_TASKS, [
    tasks.map(({ id }) => id),
    tasks.map(({ title }) => title),
    tasks.map(({ brief }) => brief),
    account_id,
    wallet_address,
  ]);
}

/** Measures one side, after making the market forget which agents it has shown. */
async function measure(
  { file, servicePid }: TemporaryMarket,
  client: pg.Client,
  url: string,
  tasks: readonly MatchTask[],
): Promise<MatchLoadResult> {
  await forgetShown(client, servicePid);
  const key = file.accounts[0]?.keys.read ?? '';
  const order: MatchLoadOrder = { url, key, taskIds: tasks.map(({ id }) => id), page: PAGE };
  return carriedOut<MatchLoadResult>('match-load', order);
}

/**
 * Waits until the index in memory is ready. A service that has ended makes the request fail.
 * @returns the index's size in bytes.
 */
async function indexReady({ managementUrl }: { managementUrl: string }): Promise<number> {
  for (;;) {
    const text = await (await fetch(`${managementUrl}/metrics`)).text();
    if (/^match_index_ready 1$/m.test(text)) return Number(/^match_index_bytes (\S+)$/m.exec(text)?.[1]);
    await sleep(200);
  }
}

async function measureBaseline(
  client: pg.Client,
  tasks: readonly MatchTask[],
  { account_id, wallet_address }: { account_id: string; wallet_address: string },
): Promise<number[]> {
  const taken: number[] = [];
  for (const { title, brief } of tasks) {
    const begun = performance.now();
    const values = [searchableText(title), searchableText(brief), account_id, wallet_address, new Date().toISOString()];
    await client.query({ ...RANKED_BY_TS_RANK, values });
    taken.push(performance.now() - begun);
  }
  return taken;
}

function print(write: WriteLine, name: string, { first, started, running, listed }: MatchLoadResult): void {
  const parts = {
    'first time': first,
    'again, just started': started,
    'again, running': running,
    'the list of agents in turns': listed,
  };
  for (const [when, taken] of Object.entries(parts)) {
    write(`  ${`${name}, ${when}`.padEnd(WIDTH)} ${times(taken)}  (${taken.length} requests)`);
  }
}

function times(taken: readonly number[]): string {
  return [0.5, 0.95, 0.99]
    .map((share) => `p${share * 100} ${quantile(taken, share).toFixed(1).padStart(7)} ms`)
    .join('  ');
}

function bar(
  write: WriteLine,
  name: string,
  { running, listed }: MatchLoadResult,
  share: number,
  most: number,
): boolean {
  const ratio = quantile(running, share) / quantile(listed, share);
  const isMet = ratio <= most;
  const verdict = isMet ? 'met' : 'missed';
  write(`  ${name}: p${share * 100} is ${ratio.toFixed(2)} × that of the list; bar: at most ${most}: ${verdict}`);
  return isMet;
}
