import pg from 'pg';
import type { PreparedStatement } from '../../../platform/database/transactions.js';

/**
 * Limit of a statement. Counting all postings of the largest market takes seconds, but a statement that hangs must end.
 */
const STATEMENT_TIMEOUT_MS = 120_000;
const CONNECT_TIMEOUT_MS = 3_000;

/**
 * The read-only connection of an index. Statements issued at the same time are sent together. It forces generic plans
 * without sequential scans, because a plan made while a table is small would scan the whole table for each look-up.
 */
export class IndexConnection {
  private constructor(private readonly client: pg.Client) {}

  /** @param onLost called when the connection has failed. */
  static async open(databaseUrl: string, onLost: (error: Error) => void): Promise<IndexConnection> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
      keepAlive: true,
      application_name: 'tasktree-match-index',
      options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c default_transaction_read_only=on',
      pipeline: true,
    });
    client.on('error', onLost);
    await client.connect();
    return new IndexConnection(client);
  }

  async rows<Row extends object>({ name, text }: PreparedStatement, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>({ name, text, values })).rows;
  }

  /** Runs `work` in one snapshot of the database. */
  async snapshot<T>(work: () => Promise<T>): Promise<T> {
    await this.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    try {
      return await work();
    } finally {
      await this.client.query('COMMIT');
    }
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
