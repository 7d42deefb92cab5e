import pg from 'pg';
import type { DataSource } from 'typeorm';
import { TaskDto } from '../../../src/modules/tasks/dto/task.dto.js';
import { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { TaskStatusSweeper } from '../../../src/modules/tasks/task-status.sweeper.js';
import { TaskStore } from '../../../src/modules/tasks/task-store.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { createMigratedDatabase } from '../../support/database.js';
import { MarketRows } from '../../support/market-rows.js';

const HOUR_MS = 3_600_000;
const BATCH = 200;
/** Begin, select what is due, update it, commit. */
const STATEMENTS_A_BATCH = 4;

let dataSource: DataSource;
let rows: MarketRows;
let buyer: string;

beforeAll(async () => {
  ({ dataSource } = await createMigratedDatabase());
  rows = new MarketRows(dataSource);
  buyer = await rows.account('buyer');
});
beforeEach(() => dataSource.query('TRUNCATE tasks CASCADE'));
afterAll(() => dataSource?.destroy());

const sweeper = () => {
  const clock = new Clock();
  return new TaskStatusSweeper(new Transactions(dataSource), clock, new TaskStore(clock));
};

/** A task that was open until an hour ago, with quotes, line breaks and names beyond ASCII in its texts. */
const due = (change: Partial<TaskEntity> = {}) =>
  rows.task(buyer, {
    status: 'open',
    brief: 'Translate "all" \\ of it,\n{40, pages}; não só — 翻訳.',
    openedAt: new Date(Date.now() - 48 * HOUR_MS),
    offersUntil: new Date(Date.now() - HOUR_MS),
    statusDueAt: new Date(Date.now() - HOUR_MS + 1),
    ...change,
  });

/** Inserts one due task and `count` copies of it. */
async function copies(count: number): Promise<void> {
  const { id } = await due();
  const columns = dataSource.getMetadata(TaskEntity).columns.map(({ databaseName }) => databaseName);
  const own = columns.filter((name) => name !== 'id' && name !== 'escrow_address').join(', ');
  await dataSource.query(
    `INSERT INTO tasks (id, escrow_address, ${own})
     SELECT 'task_' || lpad(n::text, 26, '0'), '0x' || lpad(n::text, 40, '0'), ${own}
     FROM tasks, generate_series(1, $2::integer) n WHERE id = $1`,
    [id, count],
  );
}

async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  await work();
  const { length } = query.mock.calls;
  query.mockRestore();
  return length;
}

const stored = (id: string) =>
  dataSource.manager.createQueryBuilder(TaskEntity, 'task').addSelect('task.document').where({ id }).getOneOrFail();

it('settles a thousand tasks by four statements a batch', async () => {
  await copies(999);
  const batches = 1_000 / BATCH;
  // The batch after the last full one finds nothing and skips the update.
  expect(await statementsOf(() => sweeper().sweep())).toBe(batches * STATEMENTS_A_BATCH + STATEMENTS_A_BATCH - 1);
  const [left] = await dataSource.query("SELECT count(*)::int AS n FROM tasks WHERE status <> 'expired'");
  expect(left.n).toBe(0);
});

it('leaves the rows and documents that saving each of them leaves', async () => {
  const tasks = await Promise.all([
    due(),
    due({
      status: 'selected',
      offersUntil: new Date(Date.now() + HOUR_MS),
      selectedAgentId: 'agent_signed',
      selectionAgentId: 'agent_signed',
      selectionNodePath: 1n,
      selectionUntil: new Date(Date.now() - HOUR_MS),
    }),
    due({ status: 'draft', openedAt: null, draftUntil: new Date(Date.now() - HOUR_MS) }),
    due({
      status: 'funding_pending',
      offersUntil: new Date(Date.now() + HOUR_MS),
      selectedAgentId: null,
      selectionAgentId: 'agent_signed',
      selectionNodePath: 1n,
      selectionUntil: new Date(Date.now() + HOUR_MS),
      fundingNodePath: 1n,
      fundingUntil: new Date(Date.now() - HOUR_MS),
      hiddenAt: new Date(),
    }),
  ]);
  expect(await sweeper().sweep()).toBe(tasks.length);
  const swept = await Promise.all(tasks.map(({ id }) => stored(id)));
  expect(swept.map(({ status }) => status)).toEqual(['expired', 'open', 'cancelled', 'selected']);
  expect(swept.map(({ selectedAgentId }) => selectedAgentId)).toEqual([null, null, null, 'agent_signed']);
  const store = new TaskStore(new Clock());
  for (const task of swept) {
    expect(task.document).toBe(JSON.stringify(TaskDto.from(task)));
    expect(Date.now() - task.updatedAt.getTime()).toBeLessThan(60_000);
    const { updatedAt: _swept, ...own } = task;
    await store.save(dataSource.manager, store.settle(task));
    const { updatedAt: _saved, ...saved } = await stored(task.id);
    expect(saved).toEqual(own);
  }
});

it('does nothing to a task whose time has not come', async () => {
  const task = await due({ statusDueAt: new Date(Date.now() + HOUR_MS), offersUntil: new Date(Date.now() + HOUR_MS) });
  expect(await sweeper().sweep()).toBe(0);
  expect((await stored(task.id)).updatedAt).toEqual(task.updatedAt);
});
