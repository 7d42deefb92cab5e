import { QuoteExpirySweeper } from '../../../src/modules/quotes/quote-expiry.sweeper.js';
import { QuoteEntity } from '../../../src/modules/quotes/quote/quote.entity.js';
import { TaskStatusSweeper } from '../../../src/modules/tasks/task-status.sweeper.js';
import { TaskStore } from '../../../src/modules/tasks/task-store.js';
import type { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { BUYER, quoteRow, RIVAL, taskId, WORKER } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';

const OPENED = { openedAt: new Date('2026-11-20T11:00:00.000Z'), status: 'open' } as const;
/** Two weeks after the rows were made. */
const OVER = '2026-12-04T12:00:00.001Z';

interface Told {
  type: string;
  task_id: string;
  audience: string[];
}

let side: ReadSide;
let tasks: TaskStore;
beforeEach(async () => {
  side = await ReadSide.create();
  tasks = new TaskStore(side.clock);
});
afterEach(() => side.close());

const told = (): Promise<Told[]> =>
  side.dataSource.query('SELECT type, task_id, audience FROM event_outbox ORDER BY id');
const open = (n: number, own: Partial<TaskEntity> = {}): Promise<TaskEntity> =>
  side.task(n, { ...OPENED, statusDueAt: new Date(OVER), ...own });
const sweepTasks = (): Promise<number> => new TaskStatusSweeper(side.transactions, side.clock, tasks).sweep();

it('what the sweeper finds is told to everybody or, of a private or hidden task, to its parties', async () => {
  await open(1);
  await open(2, { tier: 'private_curated' });
  await side.party(taskId(2), WORKER, 'invited');
  await side.party(taskId(2), WORKER, 'quoted');
  await open(3, { hiddenAt: new Date('2026-11-20T11:30:00.000Z') });
  side.clock.set(OVER);
  expect(await sweepTasks()).toBe(3);
  const all = (await told()).toSorted((a, b) => (a.task_id < b.task_id ? -1 : 1));
  expect(all).toEqual([
    { type: 'task.expired', task_id: taskId(1), audience: ['public'] },
    { type: 'task.expired', task_id: taskId(2), audience: [BUYER, WORKER].sort() },
    { type: 'task.expired', task_id: taskId(3), audience: [BUYER] },
  ]);
  expect(await sweepTasks()).toBe(0);
  expect(await told()).toHaveLength(3);
});

it('what was due when a request came is told with the change that the request makes', async () => {
  const lapsed = {
    selectionUntil: new Date('2026-11-21T12:00:00.000Z'),
    selectionNodePath: 1n,
    selectionAgentId: 'agent_worker',
  };
  await open(1, {
    ...lapsed,
    status: 'selected',
    selectionActionId: 'act_1',
    statusDueAt: new Date('2026-11-21T12:00:00.001Z'),
  });
  side.clock.set('2026-11-22T12:00:00.000Z');
  await side.transactions.run(async (manager) => {
    const task = await tasks.load(manager, taskId(1), { lock: true });
    // Loaded as it stands by now, not as the row has it.
    expect(task?.status).toBe('open');
    await tasks.save(manager, task!);
    await tasks.save(manager, task!);
  });
  expect(await told()).toEqual([{ type: 'task.updated', task_id: taskId(1), audience: ['public'] }]);
});

describe('the expiry of an offer', () => {
  const sweep = (): Promise<number> => new QuoteExpirySweeper(side.transactions, side.clock).sweep();
  const block = (number: number, time: string): Promise<unknown> =>
    side.dataSource.query(`INSERT INTO chain_blocks (number, hash, parent_hash, timestamp) VALUES ($1, $2, $3, $4)`, [
      number,
      `0x${number}`,
      `0x${number - 1}`,
      time,
    ]);

  beforeEach(async () => {
    await open(1);
    await side.insert(
      QuoteEntity,
      quoteRow(1),
      quoteRow(2, { agentId: 'agent_rival', workerAccountId: RIVAL, status: 'declined' }),
    );
  });

  it('is told once to both sides, after a block that comes later has been read', async () => {
    await block(1, '2026-11-20T12:00:00.000Z');
    side.clock.set('2026-11-30T12:00:00.000Z');
    // A block that is not read yet may hold its acceptance.
    expect(await sweep()).toBe(0);
    await block(2, '2026-11-30T12:00:00.000Z');
    expect(await sweep()).toBe(1);
    expect(await sweep()).toBe(0);
    expect(await told()).toEqual([{ type: 'quote.expired', task_id: taskId(1), audience: [BUYER, WORKER].sort() }]);
  });

  it('is told by one of several processes that look at the same moment', async () => {
    await block(1, '2026-11-30T12:00:00.000Z');
    side.clock.set('2026-11-30T12:00:00.000Z');
    const counts = await Promise.all(Array.from({ length: 5 }, sweep));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await told()).toHaveLength(1);
  });
});
