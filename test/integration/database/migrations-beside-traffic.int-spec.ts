import { DataSource, type MigrationInterface } from 'typeorm';
import { LookOrder1700000000121 } from '../../../src/migrations/1700000000121-look-order.js';
import { PartiesAtWork1700000000120 } from '../../../src/migrations/1700000000120-parties-at-work.js';
import { RecordOutcomes1700000000116 } from '../../../src/migrations/1700000000116-record-outcomes.js';
import { RowsOfAccounts1700000000114 } from '../../../src/migrations/1700000000114-rows-of-accounts.js';
import { dataSourceOptions } from '../../../src/platform/database/data-source.options.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

let dataSource: DataSource;
let requests: DataSource;

beforeAll(async () => {
  const { url, dataSource: migrating } = await createMigratedDatabase();
  dataSource = migrating;
  // A request gives up when it has waited this long.
  const options = dataSourceOptions(url, { entities: [], migrations: [] }, 3);
  requests = await new DataSource(
    Object.assign(options, { extra: { ...options.extra, statement_timeout: 3_000 } }),
  ).initialize();
});
afterAll(async () => {
  await requests?.destroy();
  await dataSource?.destroy();
});

/** Runs the migration while `lock` is held, and `meanwhile` once it waits for that. */
async function migratedBeside(
  migration: MigrationInterface,
  lock: string,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  const holder = dataSource.createQueryRunner();
  const [{ pid }] = await runner.query('SELECT pg_backend_pid() AS pid');
  if (migration.transaction !== false) await runner.startTransaction();
  await holder.startTransaction();
  await holder.query(lock);
  const migrating = migration.up(runner).then(
    () => null,
    (error: unknown) => error,
  );
  try {
    await eventually(async () => {
      const waiting = await requests.query('SELECT FROM pg_locks WHERE pid = $1 AND NOT granted', [pid]);
      return waiting.length > 0;
    });
    await meanwhile();
  } finally {
    await holder.rollbackTransaction();
    const error = await migrating;
    if (runner.isTransactionActive) await runner.commitTransaction();
    await Promise.all([holder.release(), runner.release()]);
    expect(error).toBeNull();
  }
}

const indexesOf = (...tables: string[]) =>
  requests.query('SELECT indexname, indexdef FROM pg_indexes WHERE tablename = ANY($1) ORDER BY 1', [tables]);

const INDEXES = [
  [new RowsOfAccounts1700000000114(), 'idempotency_records'],
  [new PartiesAtWork1700000000120(), 'task_parties'],
  [new LookOrder1700000000121(), 'prepared_actions'],
] as const;

it.each(INDEXES)('%p makes its indexes while %s is read and written', async (migration, table) => {
  const before = await indexesOf(table);
  const reverted = dataSource.createQueryRunner();
  await migration.down(reverted);
  await reverted.release();
  await migratedBeside(migration, `LOCK TABLE ${table} IN ROW EXCLUSIVE MODE`, async () => {
    await expect(requests.query(`SELECT FROM ${table} LIMIT 1`)).resolves.toEqual([]);
    await expect(requests.query(`DELETE FROM ${table}`)).resolves.toEqual([[], 0]);
  });
  expect(await indexesOf(table)).toEqual(before);
});

it('an index that an interrupted run has left half made is made anew', async () => {
  const before = await indexesOf('prepared_actions');
  await dataSource.query(`CREATE INDEX prepared_actions_due_idx_made ON prepared_actions (id)`);
  await dataSource.query(
    `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'prepared_actions_due_idx_made'::regclass`,
  );
  const runner = dataSource.createQueryRunner();
  await new LookOrder1700000000121().up(runner);
  await runner.release();
  expect(await indexesOf('prepared_actions')).toEqual(before);
});

it('records are read while the settlements of all agents are counted by outcome', async () => {
  const migration = new RecordOutcomes1700000000116();
  const runner = dataSource.createQueryRunner();
  await migration.down(runner);
  await runner.release();
  await migratedBeside(migration, 'LOCK TABLE buyer_evidence IN ACCESS EXCLUSIVE MODE', async () => {
    await expect(requests.query('SELECT FROM reputation_records LIMIT 1')).resolves.toEqual([]);
  });
  const [{ count }] = await requests.query(
    `SELECT count(*)::integer FROM pg_trigger
      WHERE tgrelid = 'reputation_records'::regclass AND NOT tgisinternal AND tgenabled <> 'O'`,
  );
  expect(count).toBe(0);
});
