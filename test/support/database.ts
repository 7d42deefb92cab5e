import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.options.js';
import { entities } from '../../src/entities.js';
import { migrations } from '../../src/migrations.js';

/** Name of the database that the databases of specs are copied from. */
const TEMPLATE = 'migrated';
/** Key of the advisory lock under which one process makes that template. */
const TEMPLATE_LOCK = 7_302_114;
/** How the names of all databases begin that this worker of this run makes. */
const OWN = `t_${process.ppid}_${process.env.JEST_WORKER_ID ?? '0'}_`;
const LEFT = `SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)`;

/** As long as a busy machine may take to open a connection; a service would give up much earlier. */
const LONGEST_CONNECT_MS = 60_000;

/** Jest loads this module anew for each spec, so this happens once a spec. */
let dropping: Promise<void> | undefined;

/** Makes an empty database in the run's Postgres. @returns its URL. */
export function createDatabase(): Promise<string> {
  return onServer((client) => newDatabase(client, ''));
}

/**
 * Makes a migrated database and opens a DataSource on it, which the caller must destroy. The database is a copy of one
 * that is migrated once per run; migrations.int-spec.ts tests the migrations themselves.
 */
export async function createMigratedDatabase(): Promise<{ url: string; dataSource: DataSource }> {
  const url = await onServer(async (client) => {
    await makeTemplate(client);
    return newDatabase(client, `TEMPLATE ${TEMPLATE}`);
  });
  const options = dataSourceOptions(url, { entities, migrations });
  const dataSource = new DataSource(Object.assign(options, { connectTimeoutMS: LONGEST_CONNECT_MS }));
  await dataSource.initialize();
  return { url, dataSource };
}

/** Copies a database to which nobody is connected. @returns the copy's URL. */
export function copyDatabase(url: string): Promise<string> {
  return onServer((client) => newDatabase(client, `TEMPLATE ${url.slice(url.lastIndexOf('/') + 1)}`));
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
  await (dropping ??= dropLeft(client));
  const name = `${OWN}${randomUUID().replaceAll('-', '')}`;
  await client.query(`CREATE DATABASE ${name} ${options}`);
  return `${server()}/${name}`;
}

/**
 * Drops what earlier specs of this worker have left. A worker runs one spec at a time, so nobody uses it, and a run
 * does not end with the databases of all its specs in memory.
 */
async function dropLeft(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(LEFT, [OWN]);
  for (const { name } of rows) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** Specs run in several processes. The first makes the template while the others wait for it. */
async function makeTemplate(client: pg.Client): Promise<void> {
  if (await hasTemplate(client)) return;
  await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  if (await hasTemplate(client)) return;
  const url = await newDatabase(client, '');
  const dataSource = new DataSource(dataSourceOptions(url, { entities, migrations }));
  await dataSource.initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
  // It gets its name only when it is complete, so that nobody copies an incomplete one.
  await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} RENAME TO ${TEMPLATE}`);
}

async function hasTemplate(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [TEMPLATE]);
  return rowCount === 1;
}
