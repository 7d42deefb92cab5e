import { once } from 'node:events';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/platform/database/data-source.options.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { watchedClient } from '../../../src/platform/database/watched-client.js';
import { createDatabase, createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

const SILENCE_MS = 60_000;

describe('a connection that the server terminates', () => {
  it('ends by itself while nobody listens to it, and not the process', async () => {
    const url = await createDatabase();
    const client = new (watchedClient(SILENCE_MS))({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = once(client.connection, 'end');
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await other.end();
    await ended;
    await expect(client.query('SELECT 1')).rejects.toThrow();
  });

  it.each(['a statement', 'a transaction'])('in %s is not handed out again to whoever comes next', async (what) => {
    const { url, dataSource } = await createMigratedDatabase();
    const pool = await new DataSource(dataSourceOptions(url, { entities: [], migrations: [] }, 1)).initialize();
    const sleep = 'SELECT pg_sleep(60)';
    const ended =
      what === 'a statement' ? pool.query(sleep) : new Transactions(pool).run((manager) => manager.query(sleep));
    const next = ended.catch(() => pool.query('SELECT 1 AS one'));
    const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query = '${sleep}'`;
    await eventually(async () => (await dataSource.query(kill)).length > 0);
    expect(await next).toEqual([{ one: 1 }]);
    await pool.destroy();
    await dataSource.destroy();
  });
});
