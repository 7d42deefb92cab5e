import { cpus } from 'node:os';
import { version } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { localClient } from '../../local-client.js';
import type { LocalAccount } from '../../market-folder/local-file.js';
import { Progress, type WriteLine } from '../../processes/progress.js';
import { serviceBeside, startTemporaryMarket, type TemporaryMarket } from '../../local-market/temporary-market.js';
import { LIMITS } from '../bench-market.js';
import type { LoadOrder, LoadResult } from '../load-order.js';
import { fillMatchMarket } from '../matches/match-market.js';
import { matchTexts } from '../matches/match-texts.js';
import { carriedOut, repeated } from '../measure.js';
import { fundedNode } from '../requests/prepare-bench.js';
import { taskData } from '../task-data.sql.js';
import { peakDuring, residentMib } from './resident-memory.js';
import { OPEN_TASK } from './memory-bench.sql.js';

const SEED = 20261122;
/** Bars, in MiB. */
const MOST_IDLE = 200;
const MOST_UNDER_LOAD = 400;
/** Longest time, in milliseconds, that the service may take to release the memory that its start needed. */
const LONGEST_IDLE_MS = 360_000;
const LOOK_MS = 5_000;
/** This many checks in a row must find little memory in use, because a single one could be luck. */
const LOOKS = 3;
const AFTER_MS = 30_000;
const INDEX_LOOK_MS = 200;
const WIDTH = 44;

/** How large the market is, and how many seconds each load runs. */
interface MemorySettings {
  tasks: number;
  agents: number;
  seconds: number;
}

/** A service process of the market. */
interface Process {
  pid: number;
  url: string;
}

/**
 * `npm run bench -- --only memory`: measures the memory of the service when idle, under lists, details, matches and
 * prepared actions at full rate, after that load, and with the agents' index in memory, idle and loaded.
 * @returns whether the bars are met.
 */
export async function benchMemory(
  write: WriteLine,
  data: string | null,
  { tasks, agents, seconds }: MemorySettings,
): Promise<boolean> {
  const progress = new Progress(write, false);
  const market = await startTemporaryMarket('bench', { service: LIMITS, postgres: {} }, progress);
  const client = localClient(market.file.database_url);
  try {
    await client.connect();
    const [caller] = market.file.accounts;
    if (!caller) throw new Error('The sample market has no account');
    for (const statement of taskData(tasks, caller.account_id)) await client.query(statement);
    write(
      `\n  ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${version}, ${tasks.toLocaleString('en')} tasks`,
    );
    const plain = { pid: market.servicePid, url: market.file.base_url };
    const query = async (text: string, values?: unknown[]): Promise<Record<string, unknown>[]> =>
      (await client.query<Record<string, unknown>>(text, values)).rows;
    const requests = await requestsOf(market, caller, query);
    const idle = await restsAt(write, plain);
    const isLoadMet = await loaded(write, plain, requests, seconds);
    const { tools } = matchTexts(data, 1, SEED);
    await progress.part(
      'Agents',
      () => fillMatchMarket(client, tools, { agents, seed: SEED, servicePid: plain.pid }),
      ({ postings }) => `${agents.toLocaleString('en')} agents, ${postings.toLocaleString('en')} postings`,
    );
    const indexed = await startIndexed(market);
    write(
      `  ${'with the index, ready'.padEnd(WIDTH)} ${mib(residentMib(indexed.pid))}, ${mib(indexed.bytes)} of them the index`,
    );
    await loaded(write, indexed, requests, seconds, false);
    return bar(write, 'idle', idle, MOST_IDLE) && isLoadMet;
  } finally {
    await client.end().catch(() => undefined);
    await market.stop();
  }
}

/**
 * Waits until the service has released the memory that its start needed, at most `LONGEST_IDLE_MS`.
 * @returns the MiB it then holds.
 */
async function restsAt(write: WriteLine, { pid }: Process): Promise<number> {
  const begun = performance.now();
  let found = 0;
  let last = residentMib(pid);
  write(`  ${'just started'.padEnd(WIDTH)} ${mib(last)}`);
  while (found < LOOKS && performance.now() - begun < LONGEST_IDLE_MS) {
    await sleep(LOOK_MS);
    last = residentMib(pid);
    found = last <= MOST_IDLE ? found + 1 : 0;
  }
  write(`  ${`idle for ${Math.round((performance.now() - begun) / 1000)} s`.padEnd(WIDTH)} ${mib(last)}`);
  return last;
}

/** Prints the memory of the process under load and after it. @returns whether the bar under load is met. */
async function loaded(
  write: WriteLine,
  { pid, url }: Process,
  requests: readonly Requests[],
  seconds: number,
  isJudged = true,
): Promise<boolean> {
  const port = Number(new URL(url).port);
  const orders = requests.map(({ connections, texts }): LoadOrder => {
    return { port, connections, seconds, requests: repeated(...texts) };
  });
  const { peak, result } = await peakDuring(pid, () =>
    Promise.all(orders.map((order) => carriedOut<LoadResult>('load', order))),
  );
  for (const [n, { statuses }] of result.entries()) {
    const refused = Object.keys(statuses).filter((status) => status !== '200');
    if (refused.length > 0) throw new Error(`${requests[n]?.name ?? ''} was answered ${refused.join(', ')}`);
  }
  const rates = result.map(({ requests: count }, n) => `${Math.round(count / seconds)} ${requests[n]?.name ?? ''}/s`);
  write(`  ${'under load, at most'.padEnd(WIDTH)} ${mib(peak)}  (${seconds} s, ${rates.join(', ')})`);
  await sleep(AFTER_MS);
  write(`  ${`${AFTER_MS / 1000} s behind it`.padEnd(WIDTH)} ${mib(residentMib(pid))}`);
  return !isJudged || bar(write, 'under load', peak, MOST_UNDER_LOAD);
}

interface Requests {
  name: string;
  connections: number;
  texts: string[];
}

/** Requests for lists and details, for matches, and for operation 1, as the other parts of the bench send them. */
async function requestsOf(
  { file }: TemporaryMarket,
  caller: LocalAccount,
  query: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>,
): Promise<Requests[]> {
  const node = await fundedNode({ file, query });
  const [open] = await query(OPEN_TASK);
  const read = (path: string): string =>
    `GET /v1/${path} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${caller.keys.read}\r\n\r\n`;
  const prepare =
    `POST /v1/tasks/${node.taskId}/nodes/${node.id}/abandon-intents HTTP/1.1\r\nHost: localhost\r\n` +
    `X-Api-Key: ${node.workerKey}\r\nIdempotency-Key: bench-{{n}}\r\nContent-Length: 0\r\n\r\n`;
  const id = String(open?.id);
  return [
    {
      name: 'lists',
      connections: 16,
      texts: ['tasks', 'agents', 'quotes', 'receipts'].map((list) => read(`${list}?limit=100`)),
    },
    { name: 'details and matches', connections: 8, texts: [read(`tasks/${id}`), read(`tasks/${id}/matches?limit=20`)] },
    { name: 'actions', connections: 8, texts: [prepare] },
  ];
}

/** Starts a second service process on the same database, with the index in memory. */
async function startIndexed(market: TemporaryMarket): Promise<Process & { bytes: number }> {
  const started = await serviceBeside(market, { ...LIMITS, MATCHING_INDEX: 'memory' });
  for (;;) {
    const text = await (await fetch(`${started.managementUrl}/metrics`)).text();
    const bytes = /^match_index_bytes (\S+)$/m.exec(text)?.[1];
    if (/^match_index_ready 1$/m.test(text)) {
      return { pid: started.child.identity.pid, url: started.url, bytes: Number(bytes) / 2 ** 20 };
    }
    await sleep(INDEX_LOOK_MS);
  }
}

function bar(write: WriteLine, name: string, found: number, most: number): boolean {
  const isMet = found <= most;
  write(`  ${name}: ${mib(found)}; bar: at most ${mib(most)}: ${isMet ? 'met' : 'missed'}`);
  return isMet;
}

function mib(amount: number): string {
  return `${amount.toFixed(1)} MiB`;
}
