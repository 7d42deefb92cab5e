import { AgentEntity } from '../../../src/modules/agents/agent/agent.entity.js';
import { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { insertWithNext } from '../../../src/platform/database/entities/entity-insert.sql.js';
import { columnsSql, entityOf } from '../../../src/platform/database/entity-rows.js';
import { BUYER, NOW, taskId, WORKER } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';

/** Values that are easily sent otherwise than they are stored. */
const ODD = {
  title: null,
  criteria: ['{a,b}', 'NULL', '\\', 'Ü"'],
  fundedRoots: ['1', '2', '300'],
  budget: 2n ** 200n,
  refundable: 0n,
  selectionUntil: new Date('2026-11-20T12:00:00.001Z'),
};

let side: ReadSide;

beforeAll(async () => {
  side = await ReadSide.create();
});
afterAll(() => side.close());

it('gives a task as the repository does: large amounts, lists, times and what is not there', async () => {
  await side.task(1, {
    title: null,
    criteria: [],
    fundedRoots: ['1', '2', '300'],
    budget: 2n ** 200n,
    refundable: 0n,
    openedAt: new Date(NOW),
    chainStatus: 'funded',
    selectionUntil: new Date('2026-11-20T12:00:00.001Z'),
  });
  await side.task(2, { title: 'Ünïcode "quoted"\n', criteria: ['{a,b}', 'NULL', '\\'] });
  for (const id of [taskId(1), taskId(2)]) {
    const found = await side.tasks.find(BUYER, id);
    expect(found).toBeInstanceOf(TaskEntity);
    expect(found).toEqual(await side.dataSource.manager.findOneBy(TaskEntity, { id }));
  }
  expect(await side.tasks.find(BUYER, taskId(1))).toMatchObject({ budget: 2n ** 200n, fundedRoots: ['1', '2', '300'] });
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

it('writes a new row as the repository does, and one that lacks a column not at all', async () => {
  const { manager } = side.dataSource;
  const [asIs, copied] = [
    await side.task(3, ODD),
    Object.assign(new TaskEntity(), await manager.findOneByOrFail(TaskEntity, { id: taskId(3) })),
  ];
  Object.assign(copied, { id: taskId(4), escrowAddress: `0x${'4'.repeat(40)}`, document: '{"a":"ü"}' });
  await side.transactions.run(async (writing) => {
    await insertWithNext(writing, TaskEntity, copied);
    expect(await writing.countBy(TaskEntity, { id: copied.id })).toBe(1);
  });
  const { document, ...written } = copied;
  expect(await manager.findOneBy(TaskEntity, { id: copied.id })).toEqual(Object.assign(new TaskEntity(), written));
  expect(written).toMatchObject({ ...ODD, buyerAccountId: asIs.buyerAccountId });
  expect(await side.dataSource.query('SELECT document FROM tasks WHERE id = $1', [copied.id])).toEqual([{ document }]);
  const lacking = Object.assign(new TaskEntity(), copied, { id: taskId(5), nodeSequence: undefined });
  await expect(side.transactions.run((writing) => insertWithNext(writing, TaskEntity, lacking))).rejects.toThrow(
    'has no nodeSequence',
  );
});

it('throws the error of a new row at the latest when the transaction ends, and writes nothing', async () => {
  const { manager } = side.dataSource;
  const known = await manager.findOneByOrFail(TaskEntity, { id: taskId(1) });
  const again = Object.assign(new TaskEntity(), known, { document: '{}' });
  const writing = side.transactions.run(async (writer) => {
    await writer.update(TaskEntity, { id: taskId(2) }, { title: 'Lost' });
    await insertWithNext(writer, TaskEntity, again);
  });
  await expect(writing).rejects.toThrow('duplicate key');
  expect((await manager.findOneByOrFail(TaskEntity, { id: taskId(2) })).title).not.toBe('Lost');
});

it('serves any entity', async () => {
  const { manager } = side.dataSource;
  const sql = `SELECT ${columnsSql(manager, AgentEntity, 'a')} FROM agents a WHERE id = $1`;
  const [row] = await manager.query<Record<string, unknown>[]>(sql, [`agent_${WORKER.slice(5)}`]);
  const expected = await manager.findOneByOrFail(AgentEntity, { id: `agent_${WORKER.slice(5)}` });
  expect(entityOf(manager, AgentEntity, row ?? {})).toEqual(expected);
});
