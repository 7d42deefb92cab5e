import type { DataSource } from 'typeorm';
import { SecondEdition1700000000090 } from '../../../src/migrations/1700000000090-second-edition.js';
import { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { createMigratedDatabase } from '../../support/database.js';
import { MarketRows } from '../../support/market-rows.js';

const own = new SecondEdition1700000000090();
let dataSource: DataSource;

beforeAll(async () => {
  ({ dataSource } = await createMigratedDatabase());
});
afterAll(() => dataSource.destroy());

async function run(direction: 'up' | 'down'): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await own[direction](runner);
  } finally {
    await runner.release();
  }
}

it('refuses a database that has a task in either direction, and changes nothing of it', async () => {
  const rows = new MarketRows(dataSource);
  const task = await rows.task(await rows.account('Buyer'));
  const before = await dataSource.query('SELECT * FROM tasks');
  await expect(run('down')).rejects.toThrow(/The database has tasks\. They belong to the second edition/);
  expect(await dataSource.query('SELECT * FROM tasks')).toEqual(before);
  await dataSource.query('DELETE FROM task_parties');
  await dataSource.manager.delete(TaskEntity, { id: task.id });
  await run('down');
  await dataSource.query(
    `INSERT INTO tasks (id, buyer_account_id, brief, criteria, budget, selection_mode, tier, status,
       accept_window_seconds, delivery_window_seconds, terms_hash, buyer_wallet, arbiter_wallet, escrow_address, created_at,
       updated_at, document)
     SELECT 'task_old', id, 'x', '{}', 1, 'manual', 'public', 'open', 1, 1, '0x', '0x1', '0x0', '0x2', now(), now(), '{}'
     FROM accounts`,
  );
  await expect(run('up')).rejects.toThrow(/The database has tasks\. They belong to the first edition/);
  await dataSource.query('DELETE FROM tasks');
  await run('up');
});
