import type { BenchMarket } from '../bench-market.js';
import { compare, type Comparison, repeated, type Side } from '../measure.js';

const CONNECTIONS = 32;
const PAGE = 20;
/** How many pages of 20 lie before the deep page. */
const DEEP_PAGES = 10_000;
const STRIDE = 100;

interface Settings {
  seconds: number;
  rounds: number;
}

/** Compares `GET /v1/tasks`, with its key, limits, scope and page, with the bare handler that reads the same rows. */
export async function compareList(
  market: BenchMarket,
  bare: { port: number; pid: number },
  settings: Settings,
): Promise<Comparison> {
  const ours = side(market, `GET /v1/tasks?limit=${PAGE}, all guards`, `limit=${PAGE}`);
  const baseline: Side = {
    name: 'node:http + prepared statement',
    ...bare,
    requests: repeated('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  };
  await expectSameRows(market, bare.port);
  return compare('GET /v1/tasks against the bare handler of the same rows', [ours, baseline], {
    connections: CONNECTIONS,
    ...settings,
  });
}

/** Compares page 10,000, or the deepest that three quarters of the tasks allow, with page 1. */
export async function compareDeepPage(market: BenchMarket, tasks: number, settings: Settings): Promise<Comparison> {
  const pages = Math.min(DEEP_PAGES, Math.floor((tasks * 0.75) / PAGE));
  const cursor = await walk(market, pages * PAGE);
  const deep = side(market, `page ${pages + 1}`, `limit=${PAGE}&cursor=${cursor}`);
  const first = side(market, 'page 1', `limit=${PAGE}`);
  return compare('A deep page against the first', [deep, first], { connections: CONNECTIONS, ...settings });
}

function side({ file, caller, servicePid }: BenchMarket, name: string, query: string): Side {
  const { host, port } = new URL(file.base_url);
  const request = `GET /v1/tasks?${query} HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: ${caller.keys.read}\r\n\r\n`;
  return { name, port: Number(port), pid: servicePid, requests: repeated(request) };
}

interface TaskPage {
  data: { id: string }[];
  next_page: string | null;
}

/** Follows the list this many rows, as a client does. @returns the cursor reached. */
async function walk(market: BenchMarket, rows: number): Promise<string> {
  let cursor: string | null = null;
  for (let passed = 0; passed < rows; passed += STRIDE) {
    const page: TaskPage = await fetchPage(market, `limit=${STRIDE}${cursor === null ? '' : `&cursor=${cursor}`}`);
    cursor = page.next_page;
    if (cursor === null) throw new Error(`The list ended after ${passed + page.data.length} tasks`);
  }
  if (cursor === null) throw new Error('A deep page needs more than one page of tasks');
  return cursor;
}

async function fetchPage({ file, caller }: BenchMarket, query: string): Promise<TaskPage> {
  const answer = await fetch(`${file.base_url}/v1/tasks?${query}`, { headers: { 'X-Api-Key': caller.keys.read } });
  if (answer.status !== 200)
    throw new Error(`GET /v1/tasks?${query} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as TaskPage;
}

/** Fails when the baseline answers other rows, because the comparison would then be meaningless. */
async function expectSameRows(market: BenchMarket, barePort: number): Promise<void> {
  const ours = await fetchPage(market, `limit=${PAGE}`);
  const bare = (await (await fetch(`http://127.0.0.1:${barePort}/`)).json()) as TaskPage;
  const same = JSON.stringify(sorted(ours.data)) === JSON.stringify(sorted(bare.data));
  if (!same || ours.data.length !== PAGE) throw new Error('The baseline does not answer the same rows');
}

/** The rows with their members sorted by name, so that only values are compared. */
function sorted(rows: readonly object[]): object[] {
  return rows.map((row) => Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}
