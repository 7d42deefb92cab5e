import { DataSource } from 'typeorm';
import { entities } from '../../../src/entities.js';
import { migrations } from '../../../src/migrations.js';
import { TaskLifecycle1700000000004 } from '../../../src/migrations/1700000000004-task-lifecycle.js';
import { dataSourceOptions } from '../../../src/platform/database/data-source.options.js';
import { createDatabase } from '../../support/database.js';

const HASH = `0x${'ab'.repeat(32)}`;
const own = new TaskLifecycle1700000000004();
const earlier = migrations.slice(0, migrations.indexOf(TaskLifecycle1700000000004));

let dataSource: DataSource;

beforeAll(async () => {
  const url = await createDatabase();
  dataSource = new DataSource(dataSourceOptions(url, { entities, migrations: earlier }));
  await dataSource.initialize();
  await dataSource.runMigrations();
  await dataSource.query(`INSERT INTO accounts (id, name, created_at) VALUES ('acct_b', 'Buyer', now())`);
});
afterAll(() => dataSource.destroy());

function task(id: string, status: string, agent: string | null = null): Promise<unknown> {
  return dataSource.query(
    `INSERT INTO tasks (id, buyer_account_id, brief, criteria, budget, selection_mode, tier, status,
       accept_window_seconds, delivery_window_seconds, selected_agent_id, terms_hash, buyer_wallet, arbiter_wallet,
       escrow_address, created_at, updated_at, document)
     VALUES ($1, 'acct_b', 'x', '{}', 1000000, 'manual', 'public', $2, 259200, 604800, $3, $4, '0x1', '0x0', $1,
       '2025-01-01', '2025-01-01', '{}')`,
    [id, status, agent, HASH],
  );
}

/** Columns and indexes of the tables of tasks. */
function schemaOf(): Promise<unknown> {
  return Promise.all([
    dataSource.query(
      `SELECT column_name, data_type, is_nullable, column_default FROM information_schema.columns
       WHERE table_name = 'tasks' ORDER BY ordinal_position`,
    ),
    dataSource.query(`SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'tasks' ORDER BY indexname`),
  ]);
}

async function run(direction: 'up' | 'down'): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await own[direction](runner);
  } finally {
    await runner.release();
  }
}

it('tasks of an earlier release keep their status, and those that still look for an agent get an end', async () => {
  await task('task_draft', 'draft');
  await task('task_open', 'open');
  await task('task_selected', 'selected', 'agent_1');
  await task('task_funded', 'funded', 'agent_2');
  for (const number of [1, 4]) {
    await dataSource.query(
      `INSERT INTO escrow_nodes (id, task_id, number, hirer_agent_id, worker_agent_id, hirer_wallet, worker_wallet,
         visible_account_ids, amount, pool, allocated, state, hirer_funded, delivery_deadline, clock,
         accept_window_seconds, terms_hash, funded_at)
       VALUES ('node_' || $1::text, 'task_funded', $1::integer, 'acct_b', 'agent_2', '0x1', '0x2', '{}', 1, 1, 0, 'funded',
         true, now(), now(), 259200, $2, now())`,
      [number, HASH],
    );
  }
  const before = await schemaOf();
  await run('up');
  const rows: Record<string, unknown>[] = await dataSource.query(
    `SELECT id, status, chain_status, chain_agent_id, opened_roots, funded_roots,
       status_due_at = offers_until + interval '1 millisecond' AS ends, offers_until > now() + interval '13 days' AS later
     FROM tasks ORDER BY id`,
  );
  const of = (id: string) => rows.find((row) => row['id'] === id);
  const none = { opened_roots: [], funded_roots: [], later: true };
  expect(of('task_draft')).toMatchObject({ status: 'draft', chain_status: null, ends: null, ...none });
  expect(of('task_open')).toMatchObject({ status: 'open', chain_status: 'open', ends: true, ...none });
  expect(of('task_selected')).toMatchObject({ status: 'selected', chain_agent_id: 'agent_1', ends: true, ...none });
  expect(of('task_funded')).toMatchObject({
    chain_status: 'funded',
    ends: null,
    opened_roots: [1, 4],
    funded_roots: [1, 4],
  });
  const after = await schemaOf();
  await run('down');
  expect(await schemaOf()).toEqual(before);
  await run('up');
  expect(await schemaOf()).toEqual(after);
});
