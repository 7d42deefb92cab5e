import pg from 'pg';
import { STILL_THERE, tryLock } from './session-lock.sql.js';

/** Which lock among the advisory locks of the database; the digits have no meaning. */
export interface LockName {
  readonly keys: readonly [number, number];
  /** The connection's `application_name` in Postgres. */
  readonly application: string;
}

const CONNECT_TIMEOUT_MS = 3_000;
const QUERY_TIMEOUT_MS = 3_000;
/** So that Postgres notices within seconds when the holder's machine, not only its process, is gone. */
const KEEPALIVE = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3';

/**
 * Decides which of several processes does a work: the one that holds a session lock of Postgres, on a connection that
 * is used for nothing else. The lock ends with the connection, however the process ended. Its loss may go unnoticed for
 * a moment, so what the holder writes must be checked by other means.
 */
export class SessionLock {
  private client: pg.Client | null = null;
  private held = false;

  constructor(
    private readonly databaseUrl: string,
    private readonly name: LockName,
  ) {}

  /** True when this process holds the lock, which it does until `release` or until its connection breaks. */
  async acquire(): Promise<boolean> {
    return this.orRelease(async () => {
      const client = await this.connected();
      const { keys } = this.name;
      const lock = this.held ? STILL_THERE : tryLock(keys);
      const { rows } = await client.query<{ held: boolean }>(lock);
      this.held = rows[0]?.held === true && this.client === client;
      return this.held;
    });
  }

  /** What Postgres answers on the connection that holds the lock. @throws Error when this process does not hold it. */
  async ask<Row extends object>(statement: pg.QueryConfig): Promise<Row[]> {
    return this.orRelease(async () => {
      if (!this.client || !this.held) throw new Error('The lock is not held');
      const { rows } = await this.client.query<Row>(statement);
      return rows;
    });
  }

  /** Lets another process have it. */
  async release(): Promise<void> {
    const { client } = this;
    this.forget();
    await client?.end().catch(() => undefined);
  }

  private async orRelease<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      await this.release();
      throw error;
    }
  }

  private async connected(): Promise<pg.Client> {
    if (this.client) return this.client;
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
      application_name: this.name.application,
      options: KEEPALIVE,
    });
    const lost = () => {
      if (this.client === client) this.forget();
    };
    client.on('error', lost);
    client.on('end', lost);
    await client.connect();
    this.client = client;
    return client;
  }

  private forget(): void {
    this.client = null;
    this.held = false;
  }
}
