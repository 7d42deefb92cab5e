import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.options.js';
import { entities } from '../../src/entities.js';
import { migrations } from '../../src/migrations.js';

/** Makes an empty database of its own in the run's Postgres; returns its URL. */
export async function createDatabase(): Promise<string> {
  const server = process.env.TEST_POSTGRES_URL;
  if (!server) throw new Error('TEST_POSTGRES_URL is set by test/support/postgres.setup.mjs');
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return `${server}/${name}`;
}

/** A migrated database of its own and an open DataSource on it; the caller destroys the DataSource. */
export async function createMigratedDatabase(): Promise<{ url: string; dataSource: DataSource }> {
  const url = await createDatabase();
  const dataSource = new DataSource(dataSourceOptions(url, { entities, migrations }));
  await dataSource.initialize();
  await dataSource.runMigrations();
  return { url, dataSource };
}
