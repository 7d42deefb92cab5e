import pg from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { STORE_TIMEOUT_MS, storedKey, UNLIMITED, type WindowCount, type WindowCounter } from './window-counter.js';

const CONNECTIONS = 4;

/** Counts in the table `rate_limits`, on connections of its own: a full write pool must not stop the limits. */
export class DatabaseWindowCounter implements WindowCounter {
  private readonly pool: pg.Pool;
  private readonly limiter: RateLimiterPostgres;

  constructor(databaseUrl: string) {
    this.pool = new pg.Pool({
      connectionString: databaseUrl,
      max: CONNECTIONS,
      connectionTimeoutMillis: STORE_TIMEOUT_MS,
      query_timeout: STORE_TIMEOUT_MS,
      application_name: 'tasktree-limits',
      allowExitOnIdle: true,
    });
    // A lost idle connection is replaced by the next call; without a listener it would end the process.
    this.pool.on('error', () => undefined);
    this.limiter = new RateLimiterPostgres({
      storeClient: this.pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix: '',
      points: UNLIMITED,
      duration: 60,
    });
  }

  async add(key: string, points: number, windowMs: number): Promise<WindowCount> {
    const result = await this.limiter.penalty(storedKey(key), points, { customDuration: windowMs / 1000 });
    return { consumed: result.consumedPoints, msLeft: result.msBeforeNext };
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
