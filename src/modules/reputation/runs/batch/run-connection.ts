import pg from 'pg';
import type { PreparedStatement } from '../../../../platform/database/transactions.js';
import type { QueryExecutor } from '../../pairs/query-executor.js';

/** Statement timeout; the longest statement of a run on the largest supported market takes far less. */
const STATEMENT_TIMEOUT_MS = 300_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** Rows per FETCH of a cursor. */
const FETCHED_ROWS = 10_000;

/** The connection of a run. It ends with the run's thread, which rolls back everything uncommitted. */
export class RunConnection implements QueryExecutor {
  private constructor(private readonly client: pg.Client) {}

  static async open(databaseUrl: string): Promise<RunConnection> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'tasktree-trust-run',
    });
    await client.connect();
    return new RunConnection(client);
  }

  async rows<Row extends object>({ name, text }: PreparedStatement, values: unknown[]): Promise<Row[]> {
    return (await this.client.query<Row>({ name, text, values })).rows;
  }

  async send(statement: PreparedStatement, values: unknown[]): Promise<void> {
    await this.rows(statement, values);
  }

  /** Runs a statement without preparing it, and returns its rows. */
  async run<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, values)).rows;
  }

  /** Reads the rows of a query in batches, by a cursor; must be called in a transaction. */
  async *stream<Row extends object>(text: string, values: unknown[] = []): AsyncGenerator<Row[]> {
    await this.client.query(`DECLARE trust_rows NO SCROLL CURSOR FOR ${text}`, values);
    for (;;) {
      const { rows } = await this.client.query<Row>(`FETCH ${FETCHED_ROWS} FROM trust_rows`);
      if (rows.length > 0) yield rows;
      if (rows.length < FETCHED_ROWS) break;
    }
    await this.client.query('CLOSE trust_rows');
  }

  /** Runs `work` in one transaction, which an error rolls back. @param begin the statement that begins it. */
  async transaction<T>(begin: string, work: () => Promise<T>): Promise<T> {
    await this.client.query(begin);
    try {
      const result = await work();
      await this.client.query('COMMIT');
      return result;
    } catch (error) {
      await this.client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
