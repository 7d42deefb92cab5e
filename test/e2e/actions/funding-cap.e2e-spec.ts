import { randomUUID } from 'node:crypto';
import { AppActivity } from '../../../src/modules/prepared-actions/lifecycle/app-activity.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { type Actor, IntentsMarket } from '../../support/e2e/intents-market.js';
import { IntentsScenario, type Offer, USDC } from '../../support/e2e/intents-scenario.js';
import type { Intent } from '../../support/e2e/spec-client.js';
import { AccessTokenRows } from '../../support/oauth/access-token-rows.js';

/** Price of the quotes in this file, in base units. */
const PRICE = 100n * USDC;

let market: IntentsMarket;
let scenario: IntentsScenario;
let tokens: AccessTokenRows;
let buyer: Actor;
let worker: Actor;
let child: Actor;

beforeAll(async () => {
  market = await IntentsMarket.start();
  scenario = new IntentsScenario(market);
  const { dataSource } = market.stack;
  tokens = new AccessTokenRows((text, values) => dataSource.query(text, values), market.facts.signingOrigin);
  buyer = await market.actor('Capped buyer');
  worker = await market.actor('Capped worker');
  child = await market.actor('Capped child');
});
afterAll(() => market?.stop());

/** Sends an intent as an application, with its access token instead of an API key. */
async function sendAs(token: string, { path, body }: Intent): Promise<{ status: number; body: any }> {
  const answer = await fetch(market.facts.baseUrl + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Idempotency-Key': randomUUID(),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

const capped = async (who: Actor, fundingCap: bigint | null) =>
  (await tokens.issue(who.client.self.accountId, { fundingCap })).token;
const REFUSED = {
  status: 403,
  body: {
    error: {
      code: 'funding_cap_exceeded',
      reason: 'This application may prepare payments of at most 99.99 USDC each; this one is 100.00 USDC.',
      suggestion: 'Connect the application again with a higher cap, or prepare this payment with an API key.',
    },
  },
};

describe('the funding of a task', () => {
  let offer: Offer;
  beforeAll(async () => {
    offer = await scenario.selected(buyer, worker);
  });

  it.each(['authorization', 'allowance'] as const)('above the cap is refused, by %s', async (mode) => {
    const intent = buyer.intents.fundTask(offer, await scenario.paying(buyer, mode));
    expect(await sendAs(await capped(buyer, PRICE - 10_000n), intent)).toEqual(REFUSED);
    expect((await sendAs(await capped(buyer, 0n), intent)).status).toBe(403);
  });

  it('above the cap leaves nothing behind', async () => {
    const count = async () => (await market.stack.dataSource.query('SELECT count(*) FROM prepared_actions'))[0].count;
    const before = await count();
    await sendAs(await capped(buyer, 1n), buyer.intents.fundTask(offer, await scenario.paying(buyer, 'authorization')));
    expect(await count()).toBe(before);
  });

  it.each([
    ['at the cap', PRICE],
    ['below the cap', PRICE + 1n],
    ['without a cap', null],
  ])('%s is prepared', async (_, cap) => {
    const intent = buyer.intents.fundTask(offer, await scenario.paying(buyer, 'authorization'));
    const { status, body } = await sendAs(await capped(buyer, cap), intent);
    expect([status, body.kind]).toEqual([200, 'fund_task']);
    expect(buyer.client.faults(intent, body)).toEqual([]);
  });

  it('has no cap by an API key, also when an application of the account has one', async () => {
    const intent = buyer.intents.fundTask(offer, await scenario.paying(buyer, 'authorization'));
    expect((await sendAs(await capped(buyer, 1n), intent)).status).toBe(403);
    expect((await buyer.client.send(intent)).status).toBe(200);
  });

  it("is refused as the buyer's alone before any cap is told", async () => {
    const intent = buyer.intents.fundTask(offer, await scenario.paying(buyer, 'authorization'));
    const { body } = await sendAs(await capped(worker, 1n), intent);
    expect(['not_task_buyer', 'not_found']).toContain(body.error.code);
  });
});

describe('a subcontract', () => {
  it("is held to the cap when the hirer's wallet pays, and not when the node does", async () => {
    const root = await scenario.funded(buyer, worker, { price: 3n * PRICE, floor: PRICE });
    const ownMoney = await scenario.offer(worker, child, root.task, { parent: root, price: PRICE, hirerFunded: true });
    const paying = await scenario.paying(worker, 'authorization');
    const hire = worker.intents.subcontract(ownMoney, ownMoney.quoteId, paying);
    expect(await sendAs(await capped(worker, PRICE - 10_000n), hire)).toEqual(REFUSED);
    expect((await sendAs(await capped(worker, PRICE), hire)).status).toBe(200);
    const shared = await scenario.offer(worker, child, root.task, { parent: root, price: PRICE });
    const promise = worker.intents.subcontract(shared, shared.quoteId, {});
    expect((await sendAs(await capped(worker, 0n), promise)).status).toBe(200);
  });
});

it('other preparations of an application are not held to its cap: they bring no money in', async () => {
  const token = await capped(buyer, 0n);
  const { status, body } = await sendAs(token, buyer.intents.createTask(scenario.taskBody()));
  expect([status, body.kind]).toEqual([200, 'create_task']);
});

it('what each application has prepared is counted, for its account alone', async () => {
  const activity = new AppActivity(new Transactions(market.stack.dataSource));
  const { accountId } = child.client.self;
  expect(await activity.preparedCounts(accountId)).toEqual(
    // Empty, because the account's quotes were prepared with API keys.
    new Map(),
  );
  const [first, second] = [await tokens.issue(accountId), await tokens.issue(accountId)];
  const create = child.intents.createTask(scenario.taskBody());
  for (const { token } of [first, first, second]) expect((await sendAs(token, create)).status).toBe(200);
  // What another grant of the same application prepares counts for the application too.
  const again = await tokens.issue(accountId, { clientId: first.grant.clientId });
  expect((await sendAs(again.token, create)).status).toBe(200);
  const counts = await activity.preparedCounts(accountId);
  expect(new Map([...counts].map(([client, { prepared }]) => [client, prepared]))).toEqual(
    new Map([
      [first.grant.clientId, 3],
      [second.grant.clientId, 1],
    ]),
  );
  const { lastPreparedAt } = counts.get(first.grant.clientId)!;
  expect(Math.abs(lastPreparedAt.getTime() - Date.now())).toBeLessThan(60_000);
  expect((await activity.preparedCounts(worker.client.self.accountId)).has(first.grant.clientId)).toBe(false);
});
