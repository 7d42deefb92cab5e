import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.options.js';
import { entities } from '../../src/entities.js';
import { migrations } from '../../src/migrations.js';

/** What the databases of specs are copied from. */
const TEMPLATE = 'migrated';
/** Key of the advisory lock under which one process makes the template. */
const TEMPLATE_LOCK = 7_302_114;

/** Makes an empty database of its own in the run's Postgres; returns its URL. */
export function createDatabase(): Promise<string> {
  return onServer((client) => newDatabase(client, ''));
}

/**
 * A migrated database of its own and an open DataSource on it; the caller destroys the DataSource. It is a copy of one that
 * was migrated once in this run: the migrations themselves have a spec of their own.
 */
export async function createMigratedDatabase(): Promise<{ url: string; dataSource: DataSource }> {
  const url = await onServer(async (client) => {
    await makeTemplate(client);
    return newDatabase(client, `TEMPLATE ${TEMPLATE}`);
  });
  const dataSource = new DataSource(dataSourceOptions(url, { entities, migrations }));
  await dataSource.initialize();
  return { url, dataSource };
}

async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: `${server()}/postgres` });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function server(): string {
  const url = process.env.TEST_POSTGRES_URL;
  if (!url) throw new Error('TEST_POSTGRES_URL is set by test/support/postgres.setup.mjs');
  return url;
}

async function newDatabase(client: pg.Client, options: string): Promise<string> {
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  await client.query(`CREATE DATABASE ${name} ${options}`);
  return `${server()}/${name}`;
}

/** Specs run in several processes: the first that comes makes the template, the others wait for it. */
async function makeTemplate(client: pg.Client): Promise<void> {
  if (await hasTemplate(client)) return;
  await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  if (await hasTemplate(client)) return;
  const url = await newDatabase(client, '');
  const dataSource = new DataSource(dataSourceOptions(url, { entities, migrations }));
  await dataSource.initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
  // Named only when it is whole, so that nobody copies half of it.
  await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} RENAME TO ${TEMPLATE}`);
}

async function hasTemplate(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [TEMPLATE]);
  return rowCount === 1;
}
