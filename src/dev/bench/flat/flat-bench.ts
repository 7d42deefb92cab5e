import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { version } from 'node:process';
import type pg from 'pg';
import type { Scope } from '../../../modules/credentials/scope.js';
import { localClient } from '../../local-client.js';
import { SeedServices } from '../../market/seed-services.js';
import { Progress, type WriteLine } from '../../progress.js';
import { startTemporaryMarket, type TemporaryMarket, variablesOf } from '../../temporary-market.js';
import { LIMITS } from '../bench-market.js';
import { flatBeginning, flatGrowth, type FlatPeople, ORDINARY_AGENT, WHALE_AGENT } from './flat-data.sql.js';
import { type ApiDescription, type FlatRequest, flatRequests } from './flat-requests.js';
import { CHEAP_MS, isFlat, MOST_BUFFERS, MOST_TIME } from './flat-verdict.js';
import { COUNTING, type RequestCost, StatementCosts } from './statement-costs.js';

const SEED = 20261125;
const SMALL = 1_000;
const RESULTS = '.tasktree/bench-flat.json';
/** Before anything counts: the key is known, the statement prepared, the page read. */
const WARM_UP = 2;
const TIMES = 3;
/** The deep page lies behind so many rows at most, passed in strides of 100. */
const DEEP_STRIDES = 10;
const STRIDE = 100;
const KEY_DAYS = 1;

interface Caller {
  name: string;
  keys: Record<Scope, string>;
  agentId: string;
}

interface Measured extends RequestCost {
  status: number;
}

/** By operation, filters, caller and page. */
type Costs = Map<string, Measured>;

/**
 * `npm run bench -- --only flat`: what every operation that reads costs the database at 1,000 tasks and at many, with all
 * filters, asked as those who have most, an ordinary and a new account, on the first page and on a deep one. One market is
 * measured, let grow and measured again. Judged are buffers and time in the database, not the time of a whole request.
 * @returns whether nothing grows with the market.
 */
export async function benchFlat(write: WriteLine, tasks: number): Promise<boolean> {
  const progress = new Progress(write, false);
  const market = await startTemporaryMarket('bench', { service: LIMITS, postgres: COUNTING }, progress);
  const client = localClient(market.file.database_url);
  try {
    await client.connect();
    const { people, callers } = await makePeople(market);
    for (const statement of flatBeginning(people)) await client.query(statement);
    const sides: Costs[] = [];
    for (const [from, to] of [
      [0, SMALL],
      [SMALL, tasks],
    ] as const) {
      await progress.part(
        'Rows',
        () => grow(client, from, to, people),
        () => `${to.toLocaleString('en')} tasks, seed ${SEED}`,
      );
      const costs = await StatementCosts.open(client);
      const drive = () => driveAll(market.file.base_url, callers, costs);
      sides.push(await progress.part('Requests', drive, ({ size }) => `${size} kinds, ${WARM_UP + TIMES} times each`));
    }
    const [small, large] = sides;
    if (!small || !large) throw new Error('There is nothing to compare');
    write(`\n  ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${version}`);
    return tell(write, small, large, tasks);
  } finally {
    await client.end().catch(() => undefined);
    await market.stop();
  }
}

async function grow(client: pg.Client, from: number, to: number, people: FlatPeople): Promise<void> {
  for (const statement of flatGrowth(from, to, SEED, people)) await client.query(statement);
}

async function makePeople(market: TemporaryMarket): Promise<{ people: FlatPeople; callers: Caller[] }> {
  const backstage = await SeedServices.open(variablesOf(market));
  try {
    const make = async (name: string, agentId: string) => {
      const account = await backstage.accounts.create({ name, walletAddress: null });
      return {
        id: account.id,
        name,
        agentId,
        keys: await backstage.keys.createKeySet(account, { name, days: KEY_DAYS }),
      };
    };
    const buyer = await make('whale buyer', WHALE_AGENT);
    const worker = await make('whale worker', WHALE_AGENT);
    const owner = await make('owner of many', `agent_01z${(10).toString(16).padStart(23, '0')}`);
    const ordinary = await make('ordinary', ORDINARY_AGENT);
    const nobody = await make('new', ORDINARY_AGENT);
    return {
      people: { buyer: buyer.id, worker: worker.id, owner: owner.id, ordinary: ordinary.id },
      callers: [buyer, worker, owner, ordinary, nobody],
    };
  } finally {
    await backstage.close();
  }
}

async function driveAll(baseUrl: string, callers: readonly Caller[], costs: StatementCosts): Promise<Costs> {
  const description = JSON.parse(readFileSync('openapi.json', 'utf8')) as ApiDescription;
  const all: Costs = new Map();
  for (const caller of callers) {
    // A task, an action and a delivery that are there at every size; the second task is the ordinary account's.
    const id = (prefix: string, number: number) => `${prefix}_01z${number.toString(16).padStart(23, '0')}`;
    const own = caller.name === 'ordinary' ? 51 : 15;
    const requests = flatRequests(description, {
      task_id: [id('task', own)],
      action_id: [id('act', own)],
      delivery_id: [id('dlv', own * 2 + 1)],
      agent_id: [caller.agentId],
      query: ['handbook', 'translator 21', 'unheardof'],
      explain: ['true'],
    });
    for (const request of requests) await driveOne(baseUrl, caller, request, costs, all);
  }
  return all;
}

async function driveOne(
  baseUrl: string,
  caller: Caller,
  request: FlatRequest,
  costs: StatementCosts,
  all: Costs,
): Promise<void> {
  const key = caller.keys[request.scope as Scope];
  const get = (path: string) => fetch(`${baseUrl}${path}`, { headers: { 'X-Api-Key': key } });
  const measure = async (page: string, path: string): Promise<void> => {
    let status = 0;
    const ask = async (): Promise<void> => {
      const answer = await get(path);
      await answer.arrayBuffer();
      ({ status } = answer);
    };
    for (let n = 0; n < WARM_UP; n += 1) await ask();
    const cost = await costs.of(TIMES, ask);
    all.set([request.operation, request.filters || '–', caller.name, page].join(' | '), { ...cost, status });
  };
  await measure('first', request.path);
  const cursor = request.isList ? await deepCursor(get, request.path) : null;
  if (cursor !== null) await measure('deep', `${request.path}&cursor=${encodeURIComponent(cursor)}`);
}

/** The cursor of the last page but one, or of the page that lies deep enough; null: there is one page. */
async function deepCursor(get: (path: string) => Promise<Response>, path: string): Promise<string | null> {
  let cursor: string | null = null;
  for (let n = 0; n < DEEP_STRIDES; n += 1) {
    const strides: string = path.replace(/limit=\d+/, `limit=${STRIDE}`);
    const answer: Response = await get(cursor === null ? strides : `${strides}&cursor=${encodeURIComponent(cursor)}`);
    if (answer.status !== 200) return cursor;
    const { next_page: next } = (await answer.json()) as { next_page: string | null };
    if (next === null) return cursor;
    cursor = next;
  }
  return cursor;
}

function tell(write: WriteLine, small: Costs, large: Costs, tasks: number): boolean {
  const rows = [...large].map(([what, at]) => {
    const before = small.get(what) ?? small.get(what.replace(/deep$/, 'first'));
    return {
      what,
      small: before ?? at,
      large: at,
      isMet: before !== undefined && at.status < 500 && isFlat(before, at),
    };
  });
  write(
    `\n  ${'operation | filters | caller | page'.padEnd(84)} answer statements   buffers at 1,000 → ${tasks.toLocaleString('en')}   DB ms`,
  );
  for (const row of rows) {
    const { what, isMet } = row;
    const buffers = `${row.small.buffers.toFixed(0).padStart(8)} → ${row.large.buffers.toFixed(0).padStart(8)}`;
    const ms = `${row.small.ms.toFixed(2).padStart(8)} → ${row.large.ms.toFixed(2).padStart(9)}`;
    const statements = row.large.statements.toFixed(0).padStart(5);
    write(`  ${what.padEnd(84)}  ${row.large.status}  ${statements}  ${buffers}  ${ms}  ${isMet ? 'flat' : 'GROWS'}`);
  }
  const missed = rows.filter(({ isMet }) => !isMet);
  if (missed.length > 0) write('\n  What grows, by its dearest statement:');
  for (const statement of new Set(missed.map(({ large: { dearest } }) => dearest))) {
    write(`    ${missed.filter(({ large: { dearest } }) => dearest === statement).length} × ${statement}`);
  }
  const refused = rows.filter(({ large: { status } }) => status >= 400);
  write(
    `\n  ${rows.length} kinds of requests, ${refused.length} of them refused (as the caller may not, or nothing is there)`,
  );
  write(
    `  bar: at most ${CHEAP_MS} ms, or ${MOST_TIME} × the time and ${MOST_BUFFERS} × the buffers: ${missed.length === 0 ? 'met' : `missed by ${missed.length}`}`,
  );
  mkdirSync('.tasktree', { recursive: true });
  writeFileSync(RESULTS, `${JSON.stringify({ seed: SEED, tasks, rows }, null, 2)}\n`);
  write(`  Written to ${RESULTS}\n`);
  return missed.length === 0;
}
