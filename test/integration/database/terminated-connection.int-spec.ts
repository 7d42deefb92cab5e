import { once } from 'node:events';
import pg from 'pg';
import { watchedClient } from '../../../src/platform/database/watched-client.js';
import { createDatabase } from '../../support/database.js';

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
});
