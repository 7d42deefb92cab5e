import { randomUUID } from 'node:crypto';
import { nodeIdOf } from '#libs/kernel';
import type { Scope } from '../../../src/modules/credentials/scope.js';
import { AgentIndexThread } from '../../../src/modules/matching/memory-search/agent-index-thread.js';
import { ApiKeysService } from '../../../src/modules/credentials/api-keys/api-keys.service.js';
import { TaskStore } from '../../../src/modules/tasks/task-store.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { eventually } from '../../support/eventually.js';
import { MarketRows } from '../../support/market-rows.js';
import { ListeningService } from '../../support/listening-service.js';
import { codeOf } from '../../support/failure.js';
import { OfferFixture } from '../../support/offer-fixture.js';
import { randomWallet } from '../../support/random-wallet.js';
import { runTool } from '../../support/tool-run.js';

// Each call of a tool starts a process.
jest.setTimeout(240_000);

interface Caller {
  id: string;
  keys: Record<Scope, string>;
}

let app: ListeningService;
let buyer: Caller;
let owner: Caller;
let stranger: Caller;

beforeAll(async () => {
  // The index in memory belongs to the running service, so only notes in the database tell it what a tool has changed.
  app = await ListeningService.listen({ environment: { matchingIndex: 'memory' } });
  [buyer, owner, stranger] = await Promise.all([caller('Buyer'), caller('Owner'), caller('Stranger')]);
  await eventually(() => app.get(AgentIndexThread).isReady, 60_000);
});
afterAll(() => app?.close());

async function caller(name: string): Promise<Caller> {
  const account = await app.account(`${name} ${randomUUID()}`, randomWallet().address);
  return { id: account.id, keys: await app.get(ApiKeysService).createKeySet(account, { name: 'k' }) };
}

async function call(who: Caller, scope: Scope, method: string, path: string, body?: object) {
  const response = await fetch(`${app.url}${path}`, {
    method,
    headers: {
      'X-Api-Key': who.keys[scope],
      ...(method === 'GET' ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as any };
}

const read = (who: Caller, path: string) => call(who, 'read', 'GET', path);
const idsOf = async (who: Caller, path: string): Promise<string[]> =>
  (await read(who, path)).body.data.map((row: any) => row.id ?? row.agent.id);
const run = (tool: string, ...args: string[]) => runTool(app.environment, tool, ...args);

const publish = async (name: string, who = owner): Promise<string> => {
  const profile = { name, agent_card_url: 'https://agents.example/card', capabilities: ['zymurgy'] };
  const { status, body } = await call(who, 'agent-owner', 'POST', '/v1/agents', profile);
  expect(status).toBe(200);
  return body.id;
};

const openTask = async (change: object = {}): Promise<string> => {
  const words = { title: 'Brew', brief: 'Some zymurgy for us.', criteria: [] };
  const row = { ...words, status: 'open' as const, openedAt: new Date(), buyerWallet: randomWallet().address };
  const { id } = await new MarketRows(app.dataSource).task(buyer.id, { ...row, ...change });
  const store = app.get(TaskStore);
  await app.get(Transactions).run(async (manager) => {
    const task = await store.load(manager, id);
    if (task) await store.save(manager, task);
  });
  return id;
};

const auditOf = (accountId: string, like: string) =>
  app.rows('SELECT event, request_id, detail FROM audit_events WHERE account_id = $1 AND event LIKE $2 ORDER BY id', [
    accountId,
    like,
  ]);

describe('an agent that the operator suspends', () => {
  it('leaves the lists and matches of the running service at once, and is back as it was when it is resumed', async () => {
    const [agentId, other] = [await publish('Zymurgist'), await publish('Zymurgy too', stranger)];
    const matches = `/v1/tasks/${await openTask()}/matches`;
    const shown = async () => [await idsOf(buyer, matches), await idsOf(buyer, '/v1/agents?query=zymurgy')];
    for (const list of await shown()) expect(new Set(list)).toEqual(new Set([agentId, other]));
    const until = '2027-05-01T00:00:00.000Z';
    const availability = { available: true, until };
    await call(owner, 'agent-owner', 'PUT', `/v1/agents/${agentId}/availability`, availability);
    const before = (await read(owner, `/v1/agents/${agentId}`)).body;

    const suspended = await run('agents', 'suspend', agentId, '--reason', 'Copied works', '--json');
    expect(suspended).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(suspended.out)).toMatchObject({ agent_id: agentId, account_id: owner.id, status: 'suspended' });
    // The very next requests already show it, without any waiting.
    expect(await shown()).toEqual([[other], [other]]);

    // The owner sees that the agent is suspended and why; everybody else sees only that it is.
    const told = (await read(owner, `/v1/agents/${agentId}`)).body;
    expect(told).toMatchObject({ status: 'suspended', suspension_reason: 'Copied works', available: false });
    expect((await read(buyer, `/v1/agents/${agentId}`)).body).not.toHaveProperty('suspension_reason');
    const edit = (body: object) => call(owner, 'agent-owner', 'PATCH', `/v1/agents/${agentId}`, body);
    expect((await edit({ status: 'active' })).body.error.code).toBe('state_conflict');
    expect((await edit({ status: 'retired' })).body.error.code).toBe('state_conflict');
    // The texts that searches find the agent by may be changed meanwhile.
    expect((await edit({ description: 'Only own works now.' })).status).toBe(200);
    expect(await idsOf(buyer, matches)).toEqual([other]);

    expect(await run('agents', 'resume', agentId)).toMatchObject({ code: 0, err: '' });
    for (const list of await shown()) expect(new Set(list)).toEqual(new Set([agentId, other]));
    const after = (await read(owner, `/v1/agents/${agentId}`)).body;
    expect(after).toEqual({ ...before, description: 'Only own works now.' });
    expect(await auditOf(owner.id, 'agent_%')).toEqual([
      {
        event: 'agent_suspended',
        request_id: null,
        detail: { by: 'operator', agent_id: agentId, name: 'Zymurgist', reason: 'Copied works' },
      },
      {
        event: 'agent_resumed',
        request_id: null,
        detail: { by: 'operator', agent_id: agentId, name: 'Zymurgist', reason: '' },
      },
    ]);
  });

  it('that was inactive is inactive again', async () => {
    const agentId = await publish('Zymurgy at rest');
    await call(owner, 'agent-owner', 'PATCH', `/v1/agents/${agentId}`, { status: 'inactive' });
    await run('agents', 'suspend', agentId);
    await run('agents', 'resume', agentId);
    expect((await read(owner, `/v1/agents/${agentId}`)).body).toMatchObject({ status: 'inactive', available: false });
  });

  it('leaves further pages of a ranking that was frozen before', async () => {
    const numbered = await Promise.all(Array.from({ length: 3 }, (_, n) => publish(`Zymurgy number ${n}`)));
    const matches = `/v1/tasks/${await openTask()}/matches?limit=1`;
    const first = (await read(buyer, matches)).body;
    expect(first.next_page).not.toBeNull();
    for (const id of numbered) await run('agents', 'suspend', id);
    const shown: string[] = [];
    for (let cursor = first.next_page; cursor !== null;) {
      const { body } = await read(buyer, `${matches}&cursor=${encodeURIComponent(cursor)}`);
      shown.push(...body.data.map((row: any) => row.agent.id));
      cursor = body.next_page;
    }
    expect(shown.filter((id) => numbered.includes(id))).toEqual([]);
  });

  it('is refused where it makes no sense: an id that nobody has, twice, a retired one, and too long a reason', async () => {
    const agentId = await publish('Zymurgy once');
    const unknown = await run('agents', 'suspend', 'agent_unknown');
    expect(unknown).toEqual({ code: 1, out: '', err: 'There is no agent "agent_unknown".\n' });
    expect(await run('agents', 'resume', agentId)).toMatchObject({ code: 1, err: 'The agent is not suspended.\n' });
    await run('agents', 'suspend', agentId);
    expect(await run('agents', 'suspend', agentId)).toMatchObject({ code: 1, err: 'The agent is suspended.\n' });
    await run('agents', 'resume', agentId);
    await call(owner, 'agent-owner', 'PATCH', `/v1/agents/${agentId}`, { status: 'retired' });
    expect(await run('agents', 'suspend', agentId)).toMatchObject({ code: 1, err: 'The agent is retired.\n' });
    expect(await run('agents', 'suspend', agentId, '--reason', 'x'.repeat(501))).toMatchObject({ code: 2 });
  });
});

describe('a task that the operator hides', () => {
  it('leaves lists, pages and offers of everybody but its parties at once, and comes back', async () => {
    await publish('Zymurgy for previews', stranger);
    const taskId = await openTask();
    await new MarketRows(app.dataSource).party(owner.id, taskId, 'quoted');
    const path = `/v1/tasks/${taskId}`;
    const seen = async (who: Caller) => ({
      listed: (await idsOf(who, '/v1/tasks?limit=100')).includes(taskId),
      filtered: (await idsOf(who, '/v1/tasks?limit=100&status=open')).includes(taskId),
      one: (await read(who, path)).status,
      nodes: (await read(who, `${path}/nodes`)).status,
      matches: (await read(who, `${path}/matches`)).status,
    });
    const all = { listed: true, filtered: true, one: 200, nodes: 200, matches: 200 };
    const nothing = { listed: false, filtered: false, one: 404, nodes: 404, matches: 404 };
    expect(await seen(stranger)).toEqual(all);
    const preview = (await read(stranger, `${path}/preview`)).body.url as string;
    const page = async () => (await fetch(`${app.url}${new URL(preview).pathname}${new URL(preview).search}`)).status;
    expect(await page()).toBe(200);

    const hidden = await run('tasks', 'hide', taskId, '--reason', 'Asks for a forgery', '--json');
    expect(hidden).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(hidden.out)).toMatchObject({ task_id: taskId, hidden_at: expect.any(String) });
    expect(await seen(stranger)).toEqual(nothing);
    expect(await page()).toBe(404);
    const missing = await read(stranger, '/v1/tasks/task_00000000000000000000000000');
    expect((await read(stranger, path)).body).toEqual(missing.body);
    const offer = {
      task_id: taskId,
      price: { amount: '10', currency: 'USDC' },
      deadline: '2027-05-01T00:00:00.000Z',
      terms_hash: `0x${'ab'.repeat(32)}`,
    };
    expect((await call(stranger, 'worker', 'POST', '/v1/quotes', offer)).body.error.code).toBe('not_found');

    // The buyer and the party still see it, marked as hidden, on its own and in their lists.
    for (const who of [buyer, owner]) {
      expect(await seen(who)).toEqual(all);
      expect((await read(who, path)).body.hidden_at).toBe(JSON.parse(hidden.out).hidden_at);
      const list = (await read(who, '/v1/tasks?limit=100')).body.data;
      expect(list.find((task: any) => task.id === taskId)).toHaveProperty('hidden_at');
    }

    expect(await run('tasks', 'show', taskId)).toMatchObject({ code: 0, err: '' });
    expect(await seen(stranger)).toEqual(all);
    expect(await page()).toBe(200);
    expect((await read(stranger, path)).body).not.toHaveProperty('hidden_at');
    expect(await auditOf(buyer.id, 'task_%')).toEqual([
      {
        event: 'task_hidden',
        request_id: null,
        detail: { by: 'operator', task_id: taskId, reason: 'Asks for a forgery' },
      },
      { event: 'task_shown', request_id: null, detail: { by: 'operator', task_id: taskId, reason: '' } },
    ]);
  });

  it('takes nobody new in by invitation', async () => {
    const agentId = await publish('Zymurgy by invitation', stranger);
    const taskId = await openTask({ tier: 'private_curated' });
    await run('tasks', 'hide', taskId);
    const invite = () => call(buyer, 'buyer', 'POST', `/v1/tasks/${taskId}/invitations`, { agent_ids: [agentId] });
    expect((await invite()).body.error).toMatchObject({ code: 'state_conflict', reason: /hidden/ });
    await run('tasks', 'show', taskId);
    expect((await invite()).status).toBe(200);
  });

  it('is refused where it makes no sense: an id that nobody has, and twice', async () => {
    const taskId = await openTask();
    expect(await run('tasks', 'hide', 'task_unknown')).toEqual({
      code: 1,
      out: '',
      err: 'There is no task "task_unknown".\n',
    });
    expect(await run('tasks', 'show', taskId)).toMatchObject({ code: 1, err: 'The task is not hidden.\n' });
    await run('tasks', 'hide', taskId);
    expect(await run('tasks', 'hide', taskId)).toMatchObject({ code: 1, err: 'The task is hidden already.\n' });
  });
});

describe('on a chain', () => {
  let fixture: OfferFixture;
  const toolOf = (tool: string, ...args: string[]) => {
    const { url } = fixture.dataSource.options as { url: string };
    return runTool({ databaseUrl: url, appSecret: app.environment.appSecret }, tool, ...args);
  };

  beforeAll(async () => {
    fixture = await OfferFixture.start();
  });
  afterAll(() => fixture?.stop());

  it('the parties of a hidden task take it on to its money, and a stranger can make no offer', async () => {
    const [client, worker, rival] = [
      await fixture.person('buyer'),
      await fixture.worker('worker'),
      await fixture.worker('rival'),
    ];
    const task = await fixture.openTask(client);
    await fixture.quote(worker, task);
    expect(await toolOf('tasks', 'hide', task.id)).toMatchObject({ code: 0, err: '' });
    expect(await codeOf(fixture.prepare('submit_quote', rival, fixture.offerFor(task)))).toBe('not_found');
    // An agent that has quoted before may quote again.
    await fixture.quote(worker, task, { price: 90_000_000n });
    const selection = await fixture.prepare('select_agent', client, { taskId: task.id, agentId: worker.agentId });
    await fixture.submit(client, selection);
    expect(await fixture.task(task.id)).toMatchObject({ status: 'selected', hiddenAt: expect.any(Date) });
    await fixture.chain.callUsdc('mint', [client.address, 90_000_000n]);
    await fixture.relay(await fixture.submit(client, await fixture.prepare('fund_task', client, { taskId: task.id })));
    expect(await fixture.task(task.id)).toMatchObject({ status: 'funded', hiddenAt: expect.any(Date) });
    const of = { taskId: task.id, nodeId: nodeIdOf(task.id, 2n) };
    const abandonment = await fixture.prepare('abandon_node', worker, of);
    expect(abandonment).toMatchObject({ kind: 'abandon_node', node_id: of.nodeId });
  });

  it('no offer of a suspended agent is taken up, and it makes none', async () => {
    const [client, worker] = [await fixture.person('buyer of none'), await fixture.worker('suspended')];
    const task = await fixture.openTask(client);
    await fixture.quote(worker, task);
    expect(await toolOf('agents', 'suspend', worker.agentId)).toMatchObject({ code: 0, err: '' });
    const select = (agentId: string | null) =>
      codeOf(fixture.prepare('select_agent', client, { taskId: task.id, agentId }));
    expect([await select(worker.agentId), await select(null)]).toEqual(['state_conflict', 'state_conflict']);
    expect(await codeOf(fixture.prepare('submit_quote', worker, fixture.offerFor(task)))).toBe('state_conflict');
    await toolOf('agents', 'resume', worker.agentId);
    expect(await select(worker.agentId)).toBe('none');
  });
});
