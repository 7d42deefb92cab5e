import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { Environment } from '../../../platform/config/environment.js';

/** Names the lock among the advisory locks of the database; the digits have no meaning. */
const LOCK_KEYS = [0x7a5c, 0x1dc5] as const;
const CONNECT_TIMEOUT_MS = 3_000;
const QUERY_TIMEOUT_MS = 3_000;
/** So that Postgres notices within seconds when the holder's machine, not only its process, is gone. */
const KEEPALIVE = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3';

/**
 * Which of several processes indexes: the one that holds a session lock of Postgres, on a connection that is used for
 * nothing else. It ends with the connection, however the process ended. That it may be lost unnoticed for a moment does
 * no harm: every write of the index checks that it continues from the block it was read for.
 */
@Injectable()
export class RunnerLock {
  private client: pg.Client | null = null;
  private held = false;

  constructor(private readonly environment: Environment) {}

  /** True when this process is the runner, which it stays until `release` or until its connection breaks. */
  async acquire(): Promise<boolean> {
    try {
      const client = await this.connected();
      const lock = this.held ? 'SELECT true AS held' : `SELECT pg_try_advisory_lock(${LOCK_KEYS.join(', ')}) AS held`;
      const { rows } = await client.query<{ held: boolean }>(lock);
      this.held = rows[0]?.held === true && this.client === client;
      return this.held;
    } catch (error) {
      await this.release();
      throw error;
    }
  }

  /** Lets another process run. */
  async release(): Promise<void> {
    const { client } = this;
    this.forget();
    await client?.end().catch(() => undefined);
  }

  private async connected(): Promise<pg.Client> {
    if (this.client) return this.client;
    const client = new pg.Client({
      connectionString: this.environment.databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'tasktree-indexer',
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
