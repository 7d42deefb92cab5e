import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type pg from 'pg';
import { DatabaseWindowCounter } from '../../src/platform/rate-limit/counters/database-window-counter.js';
import { FallbackWindowCounter } from '../../src/platform/rate-limit/counters/fallback-window-counter.js';
import type { WindowCounter } from '../../src/platform/rate-limit/counters/window-counter.js';

/** As long as a busy machine may take; a service would give up much earlier. */
const LONGEST_DATABASE_WAIT_MS = 60_000;

/** Runs `act` while requests for a connection of the pool wait up to `LONGEST_DATABASE_WAIT_MS`. */
export async function withPatientPool<T>({ driver }: DataSource, act: () => Promise<T>): Promise<T> {
  const { options } = (driver as PostgresDriver).master as pg.Pool;
  const { connectionTimeoutMillis } = options;
  options.connectionTimeoutMillis = LONGEST_DATABASE_WAIT_MS;
  try {
    return await act();
  } finally {
    options.connectionTimeoutMillis = connectionTimeoutMillis;
  }
}

/** Makes limits wait for a slow database. Otherwise they would be counted in memory from zero and let more through. */
export function patientCounter<Counter extends WindowCounter>(counter: Counter): Counter {
  const store: WindowCounter = counter instanceof FallbackWindowCounter ? counter['store'] : counter;
  if (store instanceof DatabaseWindowCounter) {
    Object.assign(store['pool'].options, {
      connectionTimeoutMillis: LONGEST_DATABASE_WAIT_MS,
      query_timeout: LONGEST_DATABASE_WAIT_MS,
    });
  }
  return counter;
}
