import { randomBytes } from 'node:crypto';
import { approvalMarket } from '../../support/approval/approval-market.js';
import type { Actor, IntentsMarket } from '../../support/e2e/intents-market.js';
import { IntentsScenario } from '../../support/e2e/intents-scenario.js';
import { contentOf, type McpConnection, newerClient } from '../../support/e2e/mcp-callers.js';

let market: IntentsMarket;
let scenario: IntentsScenario;
let buyer: Actor;
let worker: Actor;
const open: McpConnection[] = [];

beforeAll(async () => {
  market = await approvalMarket();
  scenario = new IntentsScenario(market);
  [buyer, worker] = [await market.actor('Buyer'), await market.actor('Worker')];
});

afterAll(async () => {
  await Promise.all(open.map(({ client }) => client.close()));
  await market?.stop();
});

async function byKey(who: Actor, scope: string): Promise<McpConnection> {
  const key = (who.client.self.keys as Record<string, string>)[scope]!;
  const connection = await newerClient(`${market.facts.baseUrl}/mcp`, { key });
  open.push(connection);
  return connection;
}

describe('a write', () => {
  const body = () => ({
    brief: `Count ${randomBytes(4).toString('hex')}`,
    budget: { amount: '12.50', currency: 'USDC' },
    selection_mode: 'manual',
  });
  const create = async (client: McpConnection['client'], given: object) =>
    client.callTool({ name: 'prepare_create_task', arguments: { ...given } });

  it('that a model repeats is the same action, also at the same moment', async () => {
    const { client } = await byKey(buyer, 'buyer');
    const given = body();
    const first = await create(client, given);
    expect(first.structuredContent).toMatchObject({ kind: 'create_task', amount: '12.50 USDC' });
    const again = await Promise.all([create(client, given), create(client, given)]);
    const ids = [first, ...again].map(({ structuredContent }) => structuredContent.action_id);
    expect(new Set(ids).size).toBe(1);
  });

  it('with a key of its own is another one, and a key is good for one request', async () => {
    const { client } = await byKey(buyer, 'buyer');
    const given = body();
    const [one, other] = [await create(client, given), await create(client, { ...given, idempotency_key: 'second' })];
    expect(one.structuredContent.action_id).not.toBe(other.structuredContent.action_id);
    const conflict = await create(client, { ...body(), idempotency_key: 'second' });
    expect([conflict.isError, contentOf(conflict).error.code]).toEqual([true, 'idempotency_key_conflict']);
  });

  it('that says how something shall be happens each time that it is said', async () => {
    const { client } = await byKey(worker, 'agent-owner');
    const { agentId: agent_id } = worker.client.self;
    const says = async (available: boolean) => {
      const said = await client.callTool({ name: 'set_availability', arguments: { agent_id, available } });
      expect([said.isError, contentOf(said).error]).toEqual([undefined, undefined]);
      return (await worker.client.read(`/v1/agents/${agent_id}`)).available;
    };
    expect([await says(true), await says(false), await says(true)]).toEqual([true, false, true]);
  });
});

describe('a prepare tool that is called again', () => {
  const fund = async (task: { id: string }, own: object = {}) => {
    const { client } = await byKey(buyer, 'buyer');
    return client.callTool({ name: 'prepare_fund_task', arguments: { task_id: task.id, ...own } });
  };
  const decline = (id: string) =>
    market.stack.dataSource.query('UPDATE prepared_actions SET declined_at = now() WHERE id = $1', [id]);

  it('is not refused any more once its person has done what was missing', async () => {
    const offer = await scenario.offer(buyer, worker, await scenario.task(buyer));
    for (let times = 0; times < 2; times += 1) {
      const early = await fund(offer.task);
      expect([early.isError, contentOf(early).error.code]).toEqual([true, 'state_conflict']);
    }
    await market.sign(buyer, buyer.intents.selectAgent(offer));
    const prepared = await fund(offer.task);
    expect(prepared.structuredContent).toMatchObject({ kind: 'fund_task', status: 'awaiting_signature' });
    expect((await fund(offer.task)).structuredContent).toEqual(prepared.structuredContent);
  });

  it('prepares another action when the one of before was declined, and that one from then on', async () => {
    const { task } = await scenario.selected(buyer, worker);
    const first = (await fund(task)).structuredContent;
    await decline(first.action_id);
    const second = (await fund(task)).structuredContent;
    expect(second.action_id).not.toBe(first.action_id);
    expect((await fund(task)).structuredContent.action_id).toBe(second.action_id);
  });

  it('does not show the link of an ended or signed action again, and says where its end is told', async () => {
    const { task } = await scenario.selected(buyer, worker);
    const { action_id } = (await fund(task, { idempotency_key: 'my own' })).structuredContent;
    await decline(action_id);
    const ended = await fund(task, { idempotency_key: 'my own' });
    expect([ended.isError, contentOf(ended).error]).toEqual([
      true,
      {
        code: 'state_conflict',
        reason: expect.stringContaining('declined'),
        suggestion: expect.stringContaining('get_action'),
      },
    ]);
    expect(JSON.stringify(ended)).toContain(action_id);

    // Signed and not yet sent: another one would ask for the same money twice.
    const unsent = (await fund(task)).structuredContent;
    const { payload } = await buyer.client.read(`/v1/actions/${unsent.action_id}`);
    const handedIn = await buyer.client.handIn('buyer', unsent.action_id, {
      signature: await market.signature(buyer, payload),
    });
    expect(handedIn.status).toBe(200);
    const again = await fund(task);
    expect([again.isError, contentOf(again).error.code]).toEqual([true, 'state_conflict']);
  });

  // The last one: it moves the time.
  it('takes an expired action for what it is, and not for a forged one', async () => {
    const { task } = await scenario.selected(buyer, worker);
    const [derived, given] = [await fund(task), await fund(task, { idempotency_key: 'expires' })];
    await market.travel(1_000);
    const late = await fund(task, { idempotency_key: 'expires' });
    expect([given.isError, late.isError, contentOf(late).error.code]).toEqual([undefined, true, 'state_conflict']);
    const anew = (await fund(task)).structuredContent;
    expect(anew.status).toBe('awaiting_signature');
    expect(anew.action_id).not.toBe(derived.structuredContent.action_id);
  });
});
