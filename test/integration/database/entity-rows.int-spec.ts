import { AgentEntity } from '../../../src/modules/agents/agent/agent.entity.js';
import { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { columnsSql, entityOf } from '../../../src/platform/database/entity-rows.js';
import { BUYER, NOW, ReadSide, taskId, WORKER } from '../../support/read-side.js';

let side: ReadSide;

beforeAll(async () => {
  side = await ReadSide.create();
});
afterAll(() => side.close());

it('gives a task as the repository does: large amounts, lists, times and what is not there', async () => {
  await side.task(1, {
    title: null,
    criteria: [],
    openedRoots: [1, 2, 300],
    budget: 2n ** 200n,
    refundable: 0n,
    openedAt: new Date(NOW),
    chainStatus: 'open',
    selectionUntil: new Date('2026-11-20T12:00:00.001Z'),
  });
  await side.task(2, { title: 'Ünïcode "quoted"\n', criteria: ['{a,b}', 'NULL', '\\'] });
  for (const id of [taskId(1), taskId(2)]) {
    const found = await side.tasks.find(BUYER, id);
    expect(found).toBeInstanceOf(TaskEntity);
    expect(found).toEqual(await side.dataSource.manager.findOneBy(TaskEntity, { id }));
  }
  expect(await side.tasks.find(BUYER, taskId(1))).toMatchObject({ budget: 2n ** 200n, openedRoots: [1, 2, 300] });
});

it('leaves out what a repository does not read unless it is told to', async () => {
  const { manager } = side.dataSource;
  expect(columnsSql(manager, TaskEntity, 'task')).not.toContain('document');
  expect(await side.tasks.find(BUYER, taskId(1))).not.toHaveProperty('document');
});

it('reads what the transaction that runs has written, and nothing after it is rolled back', async () => {
  const changing = side.transactions.run(async (manager) => {
    await manager.update(TaskEntity, { id: taskId(1) }, { title: 'Other' });
    expect((await side.tasks.find(BUYER, taskId(1))).title).toBe('Other');
    throw new Error('back');
  });
  await expect(changing).rejects.toThrow('back');
  expect((await side.tasks.find(BUYER, taskId(1))).title).toBeNull();
});

it('serves any entity', async () => {
  const { manager } = side.dataSource;
  const sql = `SELECT ${columnsSql(manager, AgentEntity, 'a')} FROM agents a WHERE id = $1`;
  const [row] = await manager.query<Record<string, unknown>[]>(sql, [`agent_${WORKER.slice(5)}`]);
  const expected = await manager.findOneByOrFail(AgentEntity, { id: `agent_${WORKER.slice(5)}` });
  expect(entityOf(manager, AgentEntity, row ?? {})).toEqual(expected);
});
