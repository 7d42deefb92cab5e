import { readFileSync } from 'node:fs';
import { MarketDocument } from '../../../../test/support/e2e/document.js';
import { refusedRequests } from '../../../../test/support/refused-requests.js';
import type { Fetch } from '../http/retrying-fetch.js';
import type { Hex } from '#libs/notation';
import { Marketplace } from '../marketplace.js';
import { AgentCards } from '../resources/agent-cards.js';
import { FakeMarket } from './fake-market.js';

const document = MarketDocument.of(JSON.parse(readFileSync('openapi.json', 'utf8')));
const CARD = 'https://lingua.example/card.json';
const BUDGET = { amount: '60', currency: 'USDC' } as const;
const ARBITER: Hex = `0x${'a'.repeat(40)}`;
const FIVE = { limit: 5 };

/** Faults of all answers, by their operation. */
const answered = new Map<string, string[]>();

function checked(fetch: Fetch): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const { pathname } = new URL(url);
    const route = document.routes
      .filter(({ method }) => method === init.method)
      .find(
        ({ path }) =>
          new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname) && !pathname.endsWith('/stream'),
      );
    if (route === undefined) return response;
    const { schema } =
      document.json.paths[route.path][route.method.toLowerCase()].responses['200'].content['application/json'];
    const name = response.ok ? schema.$ref.split('/').at(-1) : 'Error';
    const faults = document.faults(name, await response.clone().json());
    answered.set(route.operationId, [...(answered.get(route.operationId) ?? []), ...faults]);
    return response;
  };
}

function party(fake: FakeMarket, name: string) {
  const { settings, wallet } = fake.account(name);
  const options = { ...settings, fetch: checked(settings.fetch) };
  return { market: new Marketplace(options), cards: new AgentCards(options), wallet };
}

it('each operation answers as the document says, and what is written is read', async () => {
  const fake = new FakeMarket();
  const [{ market: bo, wallet }, { market: lena, wallet: worker, cards }] = [party(fake, 'Bo'), party(fake, 'Lena')];
  const { id: agent_id } = await lena.agents.publish({ name: 'Lingua-7', agent_card_url: CARD, capabilities: ['fr'] });
  await lena.agents.update(agent_id, { name: 'Lingua-8' });
  await lena.agents.setAvailability(agent_id, { available: true });
  expect(await bo.agents.get(agent_id)).toMatchObject({ name: 'Lingua-8', available: true });
  expect(await bo.agents.list({ query: 'Lingua' }).toArray(FIVE)).toHaveLength(1);
  await bo.agents.reputation(agent_id);
  const endpoint = { url: 'https://lingua.example/a2a' };
  await cards.setEndpoint(agent_id, endpoint);
  expect(await cards.card(agent_id)).toMatchObject({ name: 'Lingua-8', supportedInterfaces: [endpoint] });
  await cards.deleteEndpoint(agent_id);
  const identity = { agent_registry: `eip155:8453:0x${'8'.repeat(40)}`, token_id: '22' };
  const claim = { ...identity, expires_at: '2026-11-20T13:55:00Z', signature: '0x1b' };
  for (const refused of [
    cards.identityMessage(agent_id, identity),
    cards.linkIdentity(agent_id, claim),
    cards.unlinkIdentity(agent_id),
    cards.registration(agent_id),
    cards.feedback(agent_id).toArray(FIVE),
  ]) {
    await expect(refused).rejects.toMatchObject({ code: 'not_found' });
  }
  await bo.reputation().toArray(FIVE);
  const me = await lena.me();
  expect(me.agents.map(({ id }) => id)).toEqual([agent_id]);

  const body = {
    brief: 'Translate.',
    budget: BUDGET,
    selection_mode: 'manual',
    tier: 'private_curated',
    arbiter: ARBITER,
  } as const;
  const { task_id = '' } = await bo.tasks.prepareCreation(body).send(wallet);
  await expect(lena.tasks.get(task_id)).rejects.toMatchObject({ code: 'not_found' });
  await bo.tasks.invite(task_id, await bo.tasks.matches(task_id).toArray(FIVE));
  await bo.tasks.preview(task_id);
  const { terms_hash = '' } = await lena.tasks.get(task_id);
  await lena.quotes.prepare({ task_id, price: BUDGET, terms_hash, work_seconds: 3_600 }).send(worker);
  const [quote] = await bo.quotes.list({ task_id }).toArray(FIVE);
  if (quote === undefined) throw new Error('There is no offer');
  expect(quote).toMatchObject({ agent_id, price: { amount: '60.00' }, work_seconds: 3_600 });
  const tree = { buyer: wallet.address as Hex, arbiter: ARBITER };
  await bo.tasks.prepareSelection(task_id, { quote }, { tree }).send(wallet);
  await bo.tasks.prepareFunding(task_id, { quote }, { tree }).send(wallet);
  const [node] = await lena.agents.nodes(agent_id).toArray(FIVE);
  if (node === undefined) throw new Error('Nothing was funded');
  const offer = { task_id, price: { amount: '9', currency: 'USDC' }, terms_hash, parent_node_id: node.id } as const;
  const { market: hana, wallet: helper } = party(fake, 'Hana');
  const { id: helping } = await hana.agents.publish({ name: 'Helper', agent_card_url: CARD });
  await expect(hana.quotes.prepare(offer)).rejects.toMatchObject({ code: 'not_found' });
  await bo.tasks.invite(task_id, [helping]);
  await hana.quotes.prepare(offer).send(helper);
  const [part] = await hana.quotes.list({ task_id }).toArray(FIVE);
  if (part === undefined) throw new Error('There is no offer');
  await lena.nodes.prepareSubcontract(node, { quote: part, accept_window_seconds: 259_200 }).send(worker);
  const [, below = node] = await bo.tasks.nodes(task_id).toArray(FIVE);
  const artifact = await lena.deliveries.upload('Forty pages.');
  await hana.deliveries.prepare({ task_id, artifact, pay_out: true }).send(helper);
  await lena.nodes.prepareRejection(below).send(worker);
  await hana.nodes.prepareDispute(below).send(helper);
  await lena.nodes.prepareResolution(below, { resolution: 'accept' }).send(worker);
  await lena.deliveries.prepare({ task_id, artifact, pay_out: false }).send(worker);
  await bo.tasks.prepareRejection(task_id, { reason: 'Page 12.' }).send(wallet);
  await lena.deliveries.prepare({ task_id, artifact, pay_out: false }).send(worker);
  const deliveries = await bo.deliveries.list({ task_id }).toArray(FIVE);
  expect(deliveries.map(({ status, revision }) => [status, revision]).slice(0, 2)).toEqual([
    ['available', 2],
    ['rejected', 1],
  ]);
  const { url } = await bo.deliveries.artifact(deliveries[0]?.id ?? '');
  expect(await (await fake.fetch(url, { method: 'GET' })).text()).toBe('Forty pages.');
  await bo.tasks.prepareResolution(task_id).send(wallet);
  await lena.earnings.prepareWithdrawal({ task_id, destination: worker.address }).send(worker);
  expect(await lena.earnings.get()).toMatchObject({ paid: '60.00', by_task: [{ task_id, claimable: '0.00' }] });
  expect(await bo.receipts().toArray(FIVE)).toHaveLength(1);
  expect(await bo.tasks.list({ status: 'resolved', role: 'buyer' }).toArray(FIVE)).toHaveLength(1);

  for (const end of ['claim', 'abandon'] as const) {
    const { task_id: id = '' } = await bo.tasks.prepareCreation({ ...body, tier: 'public' }).send(wallet);
    const terms = { task_id: id, price: BUDGET, terms_hash };
    await expect(lena.quotes.prepare({ ...terms, terms_hash: `0x${'1'.repeat(64)}` })).rejects.toMatchObject({
      code: 'terms_mismatch',
    });
    await lena.quotes.prepare(terms).send(worker);
    const first = await bo.quotes.first(id);
    await bo.tasks.prepareSelection(id, { quote: first }, { tree }).send(wallet);
    await bo.tasks.prepareFunding(id, { quote: first }, { tree }).send(wallet);
    const [open = node] = await bo.tasks.nodes(id).toArray(FIVE);
    if (end === 'abandon') await lena.nodes.prepareAbandonment(open).send(worker);
    else {
      fake.advance(8 * 86_400);
      await bo.nodes.prepareNonDeliveryClaim(open).send(wallet);
    }
    await bo.tasks.prepareRefundWithdrawal(id, { destination: wallet.address }).send(wallet);
  }

  const { webhooks } = bo;
  const { id: hook, secret } = await webhooks.create({ url: 'https://bo.example/hooks' });
  expect(secret).toMatch(/^whsec_/);
  await webhooks.update(hook, { types: ['task.funded'] });
  expect(await webhooks.get(hook)).toMatchObject({ types: ['task.funded'] });
  await webhooks.test(hook);
  await webhooks.attempts(hook).toArray(FIVE);
  await webhooks.replay(hook, { since: '2026-01-01T00:00:00.000Z' });
  await webhooks.rotateSecret(hook);
  await webhooks.delete(hook);
  expect(await webhooks.list().toArray(FIVE)).toEqual([]);
  const { id: unwanted } = await bo.tasks.prepareCreation(body);
  await bo.actions.decline(unwanted);
  const actions = await bo.actions.list().toArray({ limit: 100 });
  expect(new Set(actions.map(({ kind }) => kind)).size).toBeGreaterThan(6);
  const events = await bo.events.list().toArray({ limit: 500 });
  await bo.events.get(events[0]?.id ?? '');
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map(({ sequence }) => sequence).sort((a, b) => a - b));

  const asked = document.routes.map(({ operationId }) => operationId).filter((id) => id !== 'streamEvents');
  expect(asked.filter((id) => !answered.has(id))).toEqual([]);
  expect([...answered].filter(([, faults]) => faults.length > 0)).toEqual([]);
});

it('what the document does not allow is refused with a code that it tells of', async () => {
  const fake = new FakeMarket();
  const { baseUrl, keys } = fake.account('Bo').settings;
  const requests = refusedRequests(document, keys as Record<string, string>);
  expect(requests.length).toBeGreaterThan(200);
  const faults: unknown[] = [];
  for (const { name, path, ...init } of requests) {
    const response = await fake.fetch(`${baseUrl}${path}`, init);
    const body = await response.json();
    const { status } = document.json.components.schemas.Error['x-error-codes'][body.error?.code] ?? {};
    if (status !== response.status) faults.push([name, response.status, body]);
    else if (document.faults('Error', body).length > 0) faults.push([name, body]);
  }
  expect(faults).toEqual([]);
});

it('the same key is the same call, and another request under it is refused', async () => {
  const fake = new FakeMarket();
  const { market } = party(fake, 'Lena');
  const idempotencyKey = 'one';
  const first = await market.agents.publish({ name: 'A', agent_card_url: CARD }, { idempotencyKey });
  await expect(market.agents.publish({ name: 'A', agent_card_url: CARD }, { idempotencyKey })).resolves.toEqual(first);
  const other = market.agents.publish({ name: 'B', agent_card_url: CARD }, { idempotencyKey });
  await expect(other).rejects.toMatchObject({ code: 'idempotency_key_conflict', status: 409 });
});

it('a fault is told with its member, as the service tells it', async () => {
  const fake = new FakeMarket();
  const { market } = party(fake, 'Lena');
  const price = { amount: '60', currency: 'EUR' } as unknown as typeof BUDGET;
  const wrong = { task_id: 'task_1', price, work_seconds: 1.5 } as Parameters<typeof market.quotes.prepare>[0];
  await expect(market.quotes.prepare(wrong)).rejects.toMatchObject({
    code: 'invalid_body',
    details: [
      { path: 'terms_hash', reason: 'terms_hash is required.' },
      { path: 'price.currency', reason: 'price.currency is one of USDC.' },
      { path: 'work_seconds', reason: 'work_seconds must be integer.' },
    ],
  });
});

it('what an action is acted with is for the scope that has prepared it', async () => {
  const fake = new FakeMarket();
  const { market } = party(fake, 'Bo');
  const { id } = await market.tasks.prepareCreation({ brief: 'Translate.', budget: BUDGET, selection_mode: 'manual' });
  const read = await market.actions.get(id);
  expect(read).not.toHaveProperty('signing_url');
  expect(read).not.toHaveProperty('match_code');
  const { keys, baseUrl } = fake.account('Bo').settings;
  const submit = (scope: 'buyer' | 'worker') =>
    fake.fetch(`${baseUrl}/v1/actions/${id}/submissions`, {
      method: 'POST',
      headers: { 'X-Api-Key': keys[scope] ?? '', 'Idempotency-Key': scope, 'Content-Type': 'application/json' },
      body: '{"signature":"0x1234"}',
    });
  expect((await submit('worker')).status).toBe(403);
  expect(await (await submit('buyer')).json()).toMatchObject({ status: 'signed', signing_url: expect.any(String) });
});
