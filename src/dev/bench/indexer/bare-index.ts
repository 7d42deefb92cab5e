import type pg from 'pg';
import { FACT_TOPICS } from '#libs/contracts';
import {
  CHAIN_ROLES,
  type Column,
  copySql,
  DELETE_CHAIN_ROLES,
  readSql,
  UNDO_QUOTES,
  UNDO_TASKS,
  updateSql,
  WRITTEN_COLUMNS,
} from './bare-index.sql.js';

/** Tables that only the index fills, in an order in which their foreign keys let them be written. */
const DERIVED = [
  'chain_blocks',
  'chain_facts',
  'escrow_trees',
  'escrow_nodes',
  'deliveries',
  'receipts',
  'settlements',
  'payouts',
  'reputation_records',
  'buyer_evidence',
  'match_terms',
  'match_briefs',
  'match_brief_postings',
] as const;
const ROWS_AT_ONCE = 5_000;

/** The values of one table as texts, column by column, and the statement that writes them. */
interface Copied {
  readonly insertion: string;
  readonly batches: readonly (string | null)[][][];
}

/**
 * The rows that an index has made of a chain, kept so that a program that knows them beforehand can write them again.
 */
export class BareIndex {
  private constructor(
    private readonly tables: readonly Copied[],
    private readonly tasks: Copied,
    private readonly quotes: Copied,
  ) {}

  /** Copies the rows out of the database and deletes them there. */
  static async take(client: pg.Client): Promise<BareIndex> {
    const tables: Copied[] = [];
    for (const table of DERIVED) tables.push(await copyOf(client, table, 'true'));
    tables.push(await copyOf(client, 'task_parties', `role IN ${CHAIN_ROLES}`));
    const tasks = await updateOf(client, 'tasks', ['status', 'chain_status', 'chain_agent_id', 'document'], '');
    const quotes = await updateOf(client, 'quotes', ['status'], '');
    await client.query(`TRUNCATE ${DERIVED.join(', ')} CASCADE`);
    await client.query(DELETE_CHAIN_ROLES);
    await client.query(UNDO_TASKS);
    await client.query(UNDO_QUOTES);
    await client.query('VACUUM ANALYZE');
    return new BareIndex(tables, tasks, quotes);
  }

  /**
   * Fetches the same logs as an index would and writes the copied rows, by INSERT from arrays, in one transaction.
   * @returns the number of logs fetched.
   */
  async write(client: pg.Client, rpcUrl: string, head: number, blocksAtOnce: number): Promise<number> {
    let logs = 0;
    for (let from = 0; from <= head; from += blocksAtOnce) {
      const toBlock = Math.min(head, from + blocksAtOnce - 1);
      const range = {
        fromBlock: `0x${from.toString(16)}`,
        toBlock: `0x${toBlock.toString(16)}`,
        topics: [FACT_TOPICS],
      };
      const request = { jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [range] };
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(request) });
      logs += countIn(await response.json());
    }
    await client.query('BEGIN');
    for (const { insertion, batches } of [...this.tables, this.tasks, this.quotes]) {
      for (const columns of batches) await client.query(insertion, columns);
    }
    await client.query('COMMIT');
    return logs;
  }
}

function countIn(answer: unknown): number {
  if (typeof answer !== 'object' || answer === null || !('result' in answer) || !Array.isArray(answer.result)) {
    throw new TypeError('Not an answer with logs');
  }
  return answer.result.length;
}

async function columnsOf(client: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(WRITTEN_COLUMNS, [table]);
  return rows;
}

async function copyOf(client: pg.Client, table: string, where: string): Promise<Copied> {
  const columns = await columnsOf(client, table);
  const names = columns.map(({ name }) => name);
  const values = columns.map(({ name, type }) => `${name}::${type}`).join(', ');
  const arrays = columns.map((_, at) => `$${at + 1}::text[]`).join(', ');
  const insertion = copySql(table, names, values, arrays);
  return { insertion, batches: await batchesOf(client, table, names, where) };
}

async function updateOf(client: pg.Client, table: string, changed: readonly string[], where: string): Promise<Copied> {
  const names = ['id', ...changed];
  const arrays = names.map((_, at) => `$${at + 1}::text[]`).join(', ');
  const sets = changed.map((name) => `${name} = fresh.${name}`).join(', ');
  const insertion = updateSql(table, sets, arrays, names);
  return { insertion, batches: await batchesOf(client, table, names, where || 'true') };
}

async function batchesOf(client: pg.Client, table: string, names: readonly string[], where: string) {
  const texts = names.map((name) => `${name}::text AS ${name}`).join(', ');
  const { rows } = await client.query<Record<string, string>>(readSql(texts, table, where));
  const batches: (string | null)[][][] = [];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE);
    batches.push(names.map((name) => some.map((row) => row[name] ?? null)));
  }
  return batches;
}
