import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { migrations as allMigrations } from '../../../src/migrations.js';
import { dataSourceOptions } from '../../../src/platform/database/data-source.options.js';
import { runPendingMigrations } from '../../../src/platform/database/run-pending-migrations.js';
import { watchedClient } from '../../../src/platform/database/watched-client.js';
import { createDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { runTool } from '../../support/tool-run.js';

let url: string;
let dataSource: DataSource;

class Large1700000000001 implements MigrationInterface {
  readonly name = 'Large1700000000001';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE busy AS SELECT 1 AS one FROM pg_sleep(1.5)');
  }
  down = () => Promise.resolve();
}

class Column1700000000002 implements MigrationInterface {
  readonly name = 'Column1700000000002';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE busy ADD COLUMN other integer');
  }
  down = () => Promise.resolve();
}

/** A process of a service that gives its statements and connections much less time than a large table takes. */
async function service(migrations: (new () => MigrationInterface)[]): Promise<DataSource> {
  const options = dataSourceOptions(url, { entities: [], migrations }, 4);
  const extra = { ...options.extra, statement_timeout: 500, Client: watchedClient(1_000) };
  return new DataSource(Object.assign(options, { extra })).initialize();
}

beforeEach(async () => {
  url = await createDatabase();
});
afterEach(async () => {
  if (dataSource?.isInitialized) await dataSource.destroy();
});

const applied = async () =>
  (await dataSource.query('SELECT name FROM schema_migrations ORDER BY id')).map(({ name }: { name: string }) => name);

it('a migration may take longer than a request, and holds the lock of those that migrate until its end', async () => {
  dataSource = await service([Large1700000000001]);
  const other = await service([Large1700000000001]);
  try {
    await Promise.all([runPendingMigrations(dataSource), runPendingMigrations(other)]);
  } finally {
    await other.destroy();
  }
  expect(await applied()).toEqual(['Large1700000000001']);
});

it('a migration that has to wait for a long read lets other reads pass, and is made when that has ended', async () => {
  dataSource = await service([Column1700000000002]);
  await dataSource.query('CREATE TABLE busy (one integer)');
  const long = new DataSource(dataSourceOptions(url, { entities: [], migrations: [] }, 2));
  await long.initialize();
  const reader = long.createQueryRunner();
  await reader.startTransaction();
  await reader.query('SELECT * FROM busy');
  const migrating = runPendingMigrations(dataSource);
  try {
    await eventually(async () => {
      const waiting = await long.query(`SELECT FROM pg_locks WHERE relation = 'busy'::regclass AND NOT granted`);
      return waiting.length === 1;
    });
    // It stands behind the migration, which stands behind the long read.
    await expect(long.query('SELECT * FROM busy')).resolves.toEqual([]);
  } finally {
    await reader.rollbackTransaction();
    await reader.release();
    await long.destroy();
    await migrating;
  }
  expect(await applied()).toEqual(['Column1700000000002']);
});

describe('npm run migrate', () => {
  const appSecret = '';

  it('migrates the database that a file names, says what it did, and finds nothing left to do', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'migrate-')), 'url');
    writeFileSync(file, `${url}\n`);
    process.env.DATABASE_URL_FILE = file;
    try {
      const first = await runTool({ databaseUrl: '', appSecret }, 'migrate');
      expect(first).toMatchObject({ code: 0, err: '' });
      expect(first.out.split('\n').at(-2)).toBe(`${allMigrations.length} migrations were made.`);
      const second = await runTool({ databaseUrl: '', appSecret }, 'migrate');
      expect(second).toEqual({ code: 0, err: '', out: 'Nothing to do: the database has all migrations.\n' });
    } finally {
      delete process.env.DATABASE_URL_FILE;
    }
  });

  it('says in one sentence that no database is named, or that none answers', async () => {
    const none = await runTool({ databaseUrl: '', appSecret }, 'migrate');
    expect(none).toEqual({
      code: 1,
      out: '',
      err: 'Set DATABASE_URL or DATABASE_URL_FILE: the database to migrate.\n',
    });
    const away = await runTool({ databaseUrl: 'postgres://me:secret@127.0.0.1:9/none', appSecret }, 'migrate');
    expect([away.code, away.out]).toEqual([1, '']);
    expect(away.err).toMatch(/^The database at DATABASE_URL cannot be reached \(ECONNREFUSED: [^\n]*\n$/);
  });
});
