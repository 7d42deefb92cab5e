import { localClient } from '../../local-client.js';
import { startTemporaryMarket } from '../../local-market/temporary-market.js';
import { Progress, type WriteLine } from '../../processes/progress.js';
import { LIMITS } from '../bench-market.js';
import { flatBeginning, flatGrowth, WHALE_AGENT } from '../flat/flat-data.sql.js';
import { type FlatCaller, flatPeople } from '../flat/flat-people.js';
import { compare, type Comparison, repeated, type Side, startBare } from '../measure.js';
import { barePage, bareTable, type ListColumn } from './list-tables.sql.js';

const CONNECTIONS = 32;
const PAGE = 20;
const SEED = 20261125;

/** What the bare program serves, each list under its name. */
export interface BareLists {
  databaseUrl: string;
  lists: BareList[];
}

interface BareList {
  name: string;
  text: string;
  /** How many rows an answer has. */
  rows: number;
  /** Members that an answer leaves out where they are null. */
  optional: string[];
  /** The members of the answer beside its rows. */
  around: object;
  /** The member that holds the rows. */
  rowsIn: string;
}

type Row = Readonly<Record<string, unknown>>;

/**
 * `npm run bench -- --only list`: every list, as a worker on a third of all nodes asks for it, against a bare program
 * that reads the same rows by one statement from a table made for them alone. The service, too, runs one statement for
 * each. Both answers have the same members with the same values, or the measurement fails.
 */
export async function compareLists(
  write: WriteLine,
  { tasks, ...settings }: { tasks: number; seconds: number; rounds: number },
): Promise<Comparison[]> {
  const progress = new Progress(write, false);
  const market = await startTemporaryMarket('bench', { service: LIMITS, postgres: {} }, progress);
  const client = localClient(market.file.database_url);
  try {
    await client.connect();
    const { people, callers } = await flatPeople(market, client);
    const fill = async (): Promise<void> => {
      for (const statement of [...flatBeginning(people), ...flatGrowth(0, tasks, SEED, people)]) {
        await client.query(statement);
      }
      await client.query('VACUUM (ANALYZE)');
    };
    await progress.part('Rows', fill, () => `${tasks.toLocaleString('en')} tasks, seed ${SEED}`);
    const caller = callers.find(({ ownAgentId }) => ownAgentId === WHALE_AGENT);
    if (!caller) throw new Error('Nobody works on a third of all nodes');
    const lists = await pathsOf(market.file.base_url, caller);
    const bare: BareLists = { databaseUrl: market.file.database_url, lists: [] };
    for (const [name, { path, key }] of Object.entries(lists)) {
      const answer = await fetched(`${market.file.base_url}${path}`, key);
      const rowsIn = name === 'earnings' ? 'by_task' : 'data';
      const { [rowsIn]: rows, ...around } = answer as Row & { [member: string]: Row[] };
      if (!rows?.length) throw new Error(`${path} shows nothing`);
      const columns = columnsOf(rows);
      for (const { text, hasRows } of bareTable(`bench_${name}`, columns)) {
        await client.query(text, hasRows ? [JSON.stringify(rows)] : []);
      }
      const optional = columns.map((column) => column.name).filter((member) => rows.some((row) => !(member in row)));
      bare.lists.push({ name, text: barePage(`bench_${name}`, columns), rows: rows.length, optional, around, rowsIn });
    }
    const program = await startBare('bare/bare-lists', [JSON.stringify(bare)]);
    const comparisons: Comparison[] = [];
    try {
      const { host, port } = new URL(market.file.base_url);
      for (const [name, { path, key }] of Object.entries(lists)) {
        const baselineUrl = `http://127.0.0.1:${program.port}/${name}`;
        await expectSame(`${market.file.base_url}${path}`, baselineUrl, key);
        const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: ${key}\r\n\r\n`;
        const sides: [Side, Side] = [
          { name: `GET ${path.slice(0, 40)}`, port: Number(port), pid: market.servicePid, requests: repeated(request) },
          {
            name: 'node:http, prepared statement, JSON.stringify',
            port: program.port,
            pid: program.child.pid ?? Number.NaN,
            requests: repeated(`GET /${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
          },
        ];
        comparisons.push(await compare(`The list of ${name}`, sides, { connections: CONNECTIONS, ...settings }));
      }
    } finally {
      program.child.kill();
    }
    return comparisons;
  } finally {
    await client.end().catch(() => undefined);
    await market.stop();
  }
}

/** The lists by their names, with the paths to ask for and the API keys that may. */
async function pathsOf(
  baseUrl: string,
  { keys, agentId }: FlatCaller,
): Promise<Record<string, { path: string; key: string }>> {
  const read = (path: string): { path: string; key: string } => ({ path: `/v1/${path}`, key: keys.read });
  const inbox = { path: `/v1/agents/${agentId}/nodes?limit=${PAGE}`, key: keys['agent-owner'] };
  const { data } = (await fetched(`${baseUrl}${inbox.path}`, inbox.key)) as { data: { task_id: string }[] };
  return {
    tasks: read(`tasks?limit=${PAGE}`),
    quotes: read(`quotes?limit=${PAGE}`),
    deliveries: read(`deliveries?limit=${PAGE}`),
    receipts: read(`receipts?limit=${PAGE}`),
    nodes: read(`tasks/${data[0]?.task_id ?? ''}/nodes?limit=${PAGE}`),
    reputation: read(`reputation?limit=${PAGE}`),
    agents: read(`agents?limit=${PAGE}`),
    inbox,
    earnings: read('earnings'),
  };
}

/** The columns that hold the members of rows, in the order of the rows' members. */
function columnsOf(rows: readonly Row[]): ListColumn[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.map((name) => ({ name, type: typeOf(rows.map((row) => row[name] ?? null)) }));
}

function typeOf(values: readonly unknown[]): ListColumn['type'] {
  const present = values.filter((value) => value !== null);
  if (present.every((value) => typeof value === 'boolean')) return present.length > 0 ? 'boolean' : 'text';
  if (present.every((value) => typeof value === 'number')) {
    return present.every(Number.isInteger) ? 'integer' : 'double precision';
  }
  if (present.every((value) => typeof value === 'string')) return 'text';
  return present.every(Array.isArray) ? 'text[]' : 'jsonb';
}

async function fetched(url: string, key: string): Promise<object> {
  const answer = await fetch(url, { headers: { 'X-Api-Key': key } });
  if (answer.status !== 200) throw new Error(`GET ${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as object;
}

/** Fails when the two answer differently, because the comparison would then be meaningless. */
async function expectSame(ours: string, bare: string, key: string): Promise<void> {
  const texts = [await fetched(ours, key), await fetched(bare, key)].map((answer) => JSON.stringify(sorted(answer)));
  if (texts[0] !== texts[1]) throw new Error(`The baseline of ${ours} answers something else`);
}

/** The value with the members of its objects sorted by name; `next_page` is different each time. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'next_page');
  return Object.fromEntries(
    members.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, sorted(part)]),
  );
}
