import pg from 'pg';
import type { DataSourceOptions, MixedList } from 'typeorm';
import { watchedClient } from './watched-client.js';

export interface DatabaseSchema {
  entities: MixedList<new () => object>;
  migrations: MixedList<new () => object>;
}

/** Upper bound of one statement and of waiting for a connection: a fault shows as a 503, not as a hanging request. */
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3_000;
/**
 * How long a connection may be silent: longer than any statement may take. Nothing else is waited for in a transaction.
 */
const SILENCE_MS = STATEMENT_TIMEOUT_MS + 2_000;

/** How long a migration may wait for a table: whoever uses the table meanwhile waits behind it. */
const MIGRATION_LOCK_MS = 2_000;

/**
 * TypeORM options of the service, the CLI tools and the tests.
 * @param url Postgres URL.
 * @param poolSize most connections this process opens through TypeORM.
 */
export function dataSourceOptions(url: string, schema: DatabaseSchema, poolSize = 20): DataSourceOptions {
  return {
    type: 'postgres',
    // Without it TypeORM asks Node for the package, which is another copy where this one is in a bundle.
    driver: pg,
    url,
    entities: schema.entities,
    migrations: schema.migrations,
    migrationsTableName: 'schema_migrations',
    // Each migration frees its locks when it ends.
    migrationsTransactionMode: 'each',
    synchronize: false,
    installExtensions: false,
    logging: false,
    poolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: {
      Client: watchedClient(SILENCE_MS),
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 3 * STATEMENT_TIMEOUT_MS,
      application_name: 'tasktree',
    },
  };
}

/**
 * The same database for those who migrate it: an index of a large table takes longer than a request may, and a connection
 * is silent for as long. Migrations know no entities, and to describe those takes most of what opening costs.
 */
export function forMigrations(options: DataSourceOptions): DataSourceOptions {
  const limits = { statement_timeout: 0, lock_timeout: MIGRATION_LOCK_MS, keepAlive: true };
  const extra: unknown = { ...options.extra, ...limits, Client: watchedClient(0) };
  return Object.assign({ ...options }, { entities: [], poolSize: 2, extra });
}
