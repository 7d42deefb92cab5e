import { randomUUID } from 'node:crypto';
import type { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { ListeningService } from '../../support/listening-service.js';
import type { Caller } from '../../support/test-service.js';
import { MarketRows } from '../../support/market-rows.js';

const DAY_MS = 86_400_000;
const MISSING = '00000000000000000000000000';
const wallet = (n: number): string => `0x${String(n).padStart(40, '1')}`;

let side: ListeningService;
let rows: MarketRows;
let buyer: Caller;
let owner: Caller;
let stranger: Caller;
let agentId: string;
let task: TaskEntity;

/** A task open for quotes, private unless changed. */
const openTask = (change: Partial<TaskEntity> = {}): Promise<TaskEntity> =>
  rows.task(buyer.accountId, {
    tier: 'private_curated',
    status: 'open',
    openedAt: new Date(),
    offersUntil: new Date(Date.now() + 14 * DAY_MS),
    ...change,
  });

beforeAll(async () => {
  side = await ListeningService.listen();
  rows = new MarketRows(side.dataSource);
  [buyer, owner, stranger] = [await side.caller(wallet(1)), await side.caller(wallet(2)), await side.caller(wallet(3))];
  agentId = await rows.agent(owner.accountId, wallet(2));
});
afterAll(() => side?.close());
beforeEach(async () => {
  task = await openTask();
});

async function call(key: string, method: string, path: string, body?: unknown, idempotencyKey: string = randomUUID()) {
  const response = await fetch(`${side.url}${path}`, {
    method,
    headers: {
      'X-Api-Key': key,
      ...(method === 'GET' ? {} : { 'Idempotency-Key': idempotencyKey, 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json: any = await response.json();
  return { status: response.status, body: json, code: json.error?.code };
}

const invite = (ids: unknown, who = buyer, taskId = task.id) =>
  call(who.keys.buyer, 'POST', `/v1/tasks/${taskId}/invitations`, { agent_ids: ids });
const seenBy = async ({ keys }: Caller) => (await call(keys.read, 'GET', `/v1/tasks/${task.id}/nodes`)).status;
const admitted = () =>
  side.dataSource.query('SELECT account_id, role FROM task_parties WHERE task_id = $1 ORDER BY role', [task.id]);
const onlyBuyer = () => [{ account_id: buyer.accountId, role: 'buyer' }];

describe('an invitation', () => {
  it("lets the agent's owner see the private task, and nobody else", async () => {
    expect(await seenBy(owner)).toBe(404);
    const { status, body } = await invite([agentId]);
    expect([status, body]).toEqual([200, { task_id: task.id, agent_ids: [agentId], remaining: 199 }]);
    expect(await seenBy(owner)).toBe(200);
    const { body: list } = await call(owner.keys.read, 'GET', '/v1/tasks');
    expect(list.data).toHaveLength(1);
    expect(await seenBy(stranger)).toBe(404);
  });

  it('may come again, also beside others and twice in one request, in the order of the first time', async () => {
    const second = await rows.agent(stranger.accountId, wallet(3));
    await invite([second]);
    const { status, body } = await invite([agentId, second, agentId]);
    expect([status, body]).toEqual([200, { task_id: task.id, agent_ids: [second, agentId], remaining: 198 }]);
    expect((await invite([agentId])).body).toEqual(body);
  });

  it('is one write: the same key again is the same answer', async () => {
    const key = randomUUID();
    const path = `/v1/tasks/${task.id}/invitations`;
    const first = await call(buyer.keys.buyer, 'POST', path, { agent_ids: [agentId] }, key);
    const second = await rows.agent(stranger.accountId, wallet(3));
    await invite([second]);
    expect((await call(buyer.keys.buyer, 'POST', path, { agent_ids: [agentId] }, key)).body).toEqual(first.body);
  });

  it('lets in below a root that is being worked on, so that it can be subcontracted', async () => {
    task = await openTask({ status: 'funded', chainStatus: 'funded' });
    expect((await invite([agentId])).status).toBe(200);
  });

  it('invites all of them or none', async () => {
    const retired = await rows.agent(stranger.accountId, wallet(3), 'retired');
    for (const [bad, status, code] of [
      [`agent_${MISSING}`, 404, 'not_found'],
      [retired, 409, 'state_conflict'],
    ] as const) {
      expect(await invite([agentId, bad])).toMatchObject({ status, code });
      expect(await admitted()).toEqual(onlyBuyer());
      expect(await seenBy(owner)).toBe(404);
    }
  });

  it.each<[string, Partial<TaskEntity>]>([
    ['a draft', { status: 'draft', openedAt: null }],
    ['a public task', { tier: 'public' }],
    ['an expired task', { status: 'expired', offersUntil: new Date(Date.now() - DAY_MS) }],
    ['a resolved task', { status: 'resolved', chainStatus: 'resolved' }],
  ])('to %s is refused', async (_what, change) => {
    task = await openTask(change);
    expect(await invite([agentId])).toMatchObject({ status: 409, code: 'state_conflict' });
    expect(await admitted()).toEqual(onlyBuyer());
  });

  it('is for the buyer alone: 404 for who does not see the task, then 403, before any state', async () => {
    task = await openTask({ status: 'resolved', chainStatus: 'resolved' });
    const hidden = await invite([agentId], stranger);
    expect(hidden.status).toBe(404);
    expect(hidden.body).toEqual((await invite([agentId], stranger, `task_${MISSING}`)).body);
    await rows.party(stranger.accountId, task.id, 'invited');
    expect(await invite([agentId], stranger)).toMatchObject({ status: 403, code: 'not_task_buyer' });
    const path = `/v1/tasks/${task.id}/invitations`;
    for (const key of [buyer.keys.read, buyer.keys.worker, buyer.keys['agent-owner']]) {
      expect(await call(key, 'POST', path, { agent_ids: [agentId] })).toMatchObject({ code: 'insufficient_scope' });
    }
  });

  it.each<[string, unknown]>([
    ['nobody', []],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'agent_1'],
    ['51 agents', Array.from({ length: 51 }, (_, n) => `agent_${n}`)],
    ['no identifier', ['an agent']],
    ['a list of lists', [['agent_1']]],
    ['a number', [1]],
  ])('of %s is no body', async (_what, ids) => {
    expect(await invite(ids)).toMatchObject({ status: 400, code: 'invalid_body' });
  });

  it('is counted: a task has at most 200, whoever asks at the same time', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 210; n += 1) ids.push(await rows.agent(stranger.accountId, wallet(3)));
    for (let at = 0; at < 150; at += 50) expect((await invite(ids.slice(at, at + 50))).status).toBe(200);
    const both = await Promise.all([invite(ids.slice(150, 190)), invite(ids.slice(170, 210))]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect((await invite(ids.slice(0, 50))).status).toBe(200);
    const [{ count }] = await side.dataSource.query(
      'SELECT count(*)::int AS count FROM task_invitations WHERE task_id = $1',
      [task.id],
    );
    expect(count).toBe(190);
  });
});

it('what a list of matches has let in before stays in', async () => {
  await rows.party(owner.accountId, task.id, 'matched');
  expect(await seenBy(owner)).toBe(200);
});
