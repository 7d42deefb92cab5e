import type pg from 'pg';
import { FACT_TOPICS } from '#libs/contracts';
import { sendRows } from '../../../platform/database/copy/copy-rows.js';
import {
  CHAIN_ROLES,
  copyInSql,
  copyOutSql,
  DELETE_CHAIN_ROLES,
  freshSql,
  UNDO_QUOTES,
  UNDO_TASKS,
  updateSql,
  WRITTEN_COLUMNS,
} from './bare-index.sql.js';
import { CopyOut } from './copy-out.js';

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
  'told_trees',
  'chain_events',
  'events',
  'event_audience',
] as const;

/** Rows of one table in the bytes that COPY reads, and the statements around it. */
interface Copied {
  readonly before: string | null;
  readonly copy: string;
  readonly rows: Buffer;
  readonly after: string | null;
}

/**
 * The rows that an index has made of a chain, kept so that a program that knows them beforehand can write them again.
 */
export class BareIndex {
  private constructor(private readonly tables: readonly Copied[]) {}

  /** Copies the rows out of the database and deletes them there. */
  static async take(client: pg.Client): Promise<BareIndex> {
    const tables: Copied[] = [];
    for (const table of DERIVED) tables.push(await copyOf(client, table, 'true'));
    tables.push(await copyOf(client, 'task_parties', `role IN ${CHAIN_ROLES}`));
    tables.push(await updateOf(client, 'tasks', ['status', 'chain_status', 'chain_agent_id', 'document']));
    tables.push(await updateOf(client, 'quotes', ['status']));
    await client.query(`TRUNCATE ${DERIVED.join(', ')} CASCADE`);
    await client.query(DELETE_CHAIN_ROLES);
    await client.query(UNDO_TASKS);
    await client.query(UNDO_QUOTES);
    await client.query('VACUUM ANALYZE');
    return new BareIndex(tables);
  }

  /**
   * Fetches the same logs as an index would and writes the rows by COPY, in one transaction. Nothing is computed or
   * encoded: the bytes are those that Postgres gave for them.
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
    for (const { before, copy, rows, after } of this.tables) {
      if (before !== null) await client.query(before);
      await sendRows(client, copy, rows);
      if (after !== null) await client.query(after);
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

async function copyOf(client: pg.Client, table: string, where: string): Promise<Copied> {
  const { rows: columns } = await client.query<{ name: string }>(WRITTEN_COLUMNS, [table]);
  const names = columns.map(({ name }) => name);
  const rows = await CopyOut.read(client, copyOutSql(table, names, where));
  return { before: null, copy: copyInSql(table, names), rows, after: null };
}

async function updateOf(client: pg.Client, table: string, changed: readonly string[]): Promise<Copied> {
  const names = ['id', ...changed];
  return {
    before: freshSql(table, names),
    copy: copyInSql(`fresh_${table}`, names),
    rows: await CopyOut.read(client, copyOutSql(table, names, 'true')),
    after: updateSql(table, changed),
  };
}
