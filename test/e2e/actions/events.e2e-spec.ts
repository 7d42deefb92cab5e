import { randomUUID } from 'node:crypto';
import { Interface } from 'ethers';
import { EVENT_TYPES } from '../../../src/modules/events/catalogue/event-types.js';
import { MarketDocument } from '../../support/e2e/document.js';
import { type Actor, IntentsMarket } from '../../support/e2e/intents-market.js';
import { DAY, IntentsScenario, type Offer } from '../../support/e2e/intents-scenario.js';
import { eventually } from '../../support/eventually.js';
import { type ApiAnswer, callApi } from '../../support/market.js';

/** Every type of event, provoked over HTTP or on the chain, and who gets to read it. */
const ESCROW = new Interface(['function invalidateNonces(uint256 word, uint256 mask)']);

let market: IntentsMarket;
let scenario: IntentsScenario;
let document: MarketDocument;
let buyer: Actor;
let worker: Actor;
let rival: Actor;
/** A party of nothing. */
let stranger: Actor;
/** Types that a test of this file has provoked and read. */
const provoked = new Set<string>();

beforeAll(async () => {
  market = await IntentsMarket.start();
  scenario = new IntentsScenario(market);
  document = await MarketDocument.load();
  buyer = await market.actor('Buyer');
  worker = await market.actor('Worker');
  rival = await market.actor('Rival');
  stranger = await market.actor('Stranger');
});
afterAll(() => market?.stop());

const call = (who: Actor, path: string): Promise<ApiAnswer> =>
  callApi(`${market.facts.baseUrl}${path}`, { key: who.client.self.keys['read'] ?? '' });

async function page(who: Actor, query = ''): Promise<{ data: any[]; next_page: string | null }> {
  const { status, body } = await call(who, `/v1/events${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body;
}

/** All events that the caller may read, over pages. */
async function all(who: Actor, query = 'limit=100'): Promise<any[]> {
  const events: any[] = [];
  for (let next: string | null = ''; next !== null;) {
    const { data, next_page }: { data: any[]; next_page: string | null } = await page(
      who,
      `?${query}${next === '' ? '' : `&cursor=${next}`}`,
    );
    events.push(...data);
    next = next_page;
  }
  return events;
}

/** Waits for the event about the subject, and checks its shape. */
async function told(who: Actor, type: string, subjectId: string): Promise<any> {
  let found: any;
  await eventually(async () => {
    const events = await all(who, `limit=100&types=${type}`);
    found = events.findLast(({ subject }) => subject.id === subjectId);
    return found !== undefined;
  }).catch(() => expect([type, subjectId]).toEqual(['told', subjectId]));
  expect(document.faults('Event', found)).toEqual([]);
  expect(JSON.stringify(found).length).toBeLessThan(4096);
  provoked.add(type);
  return found;
}

const typesOf = (events: readonly any[], subjectId: string): string[] =>
  events.filter(({ subject }) => subject.id === subjectId).map(({ type }) => type);

async function withAgentOwner(who: Actor, method: string, path: string, body: object): Promise<any> {
  const answer = await callApi(`${market.facts.baseUrl}${path}`, {
    method,
    key: who.client.self.keys['agent-owner'] ?? '',
    headers: { 'Idempotency-Key': randomUUID() },
    body,
  });
  expect([method, path, answer.status]).toEqual([method, path, 200]);
  return answer.body;
}

describe('events of a task', () => {
  it('tell its buyer of the draft, and everybody from its opening on', async () => {
    const task = await scenario.task(buyer);
    const created = await told(buyer, 'task.created', task.id);
    expect(created).toMatchObject({
      id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
      subject: { kind: 'task', id: task.id, task_id: task.id },
      data: { status: { to: 'draft' }, budget: { amount: '1000.50', currency: 'USDC' } },
      links: { self: `/v1/events/${created.id}`, resource: `/v1/tasks/${task.id}` },
    });
    const opened = await told(stranger, 'task.opened', task.id);
    expect(opened.data.status).toEqual({ from: 'draft', to: 'open' });
    expect(opened.sequence).toBeGreaterThan(created.sequence);
    expect(typesOf(await all(stranger), task.id)).toEqual(['task.opened']);
    // Nothing that a person wrote is told.
    expect(JSON.stringify([created, opened])).not.toMatch(/Count|words|number is right/);
  });

  it('of a private one tell those alone who were invited or have quoted by then', async () => {
    const task = await scenario.task(buyer, { tier: 'private_curated' });
    await told(buyer, 'task.opened', task.id);
    const invitation = await callApi(`${market.facts.baseUrl}/v1/tasks/${task.id}/invitations`, {
      key: buyer.client.self.keys['buyer'] ?? '',
      headers: { 'Idempotency-Key': randomUUID() },
      body: { agent_ids: [worker.client.self.agentId] },
    });
    expect(invitation.status).toBe(200);
    const offer = await scenario.selected(buyer, worker, task);
    const selected = await told(worker, 'task.agent_selected', task.id);
    expect(selected.data).toMatchObject({
      status: { from: 'open', to: 'selected' },
      selected_agent_id: worker.client.self.agentId,
    });
    // The invitation came after the opening.
    expect(typesOf(await all(worker), task.id)).toEqual(['task.agent_selected']);
    for (const other of [rival, stranger]) {
      expect(await all(other, `task_id=${task.id}`)).toEqual([]);
      expect((await call(other, `/v1/events/${selected.id}`)).status).toBe(404);
    }
    expect((await told(worker, 'quote.submitted', offer.quoteId)).data.agent_id).toBe(worker.client.self.agentId);
  });
});

describe('events of a quote', () => {
  let won: Offer;
  let lost: Offer;
  const losing = async (who: Actor, type: string) => told(who, type, lost.quoteId);

  it('tell its worker and the payer, and no rival, from its signature on', async () => {
    const task = await scenario.task(buyer);
    won = await scenario.offer(buyer, worker, task);
    lost = await scenario.offer(buyer, rival, task);
    for (const who of [buyer, worker]) {
      const { subject, data, links } = await told(who, 'quote.submitted', won.quoteId);
      expect(subject).toEqual({ kind: 'quote', id: won.quoteId, task_id: task.id });
      expect(data).toEqual({
        status: { from: 'pending_signature', to: 'submitted' },
        agent_id: worker.client.self.agentId,
        price: { amount: '100.00', currency: 'USDC' },
        valid_until: new Date(won.validUntil * 1000).toISOString(),
      });
      expect(links.resource).toBe(`/v1/quotes?task_id=${task.id}`);
    }
    const { id } = await losing(rival, 'quote.submitted');
    for (const who of [worker, stranger]) {
      expect(typesOf(await all(who, `task_id=${task.id}`), lost.quoteId)).toEqual([]);
      expect((await call(who, `/v1/events/${id}`)).status).toBe(404);
    }
  });

  it('tell that it was accepted and that another one was declined', async () => {
    await market.sign(buyer, buyer.intents.selectAgent(won));
    await scenario.fund(won, 'authorization', 'signed');
    expect((await told(buyer, 'task.updated', won.task.id)).data.status).toEqual({
      from: 'selected',
      to: 'funding_pending',
    });
    expect((await told(worker, 'quote.accepted', won.quoteId)).data.status).toEqual({
      from: 'submitted',
      to: 'accepted',
    });
    expect((await losing(rival, 'quote.declined')).data.status).toEqual({ from: 'submitted', to: 'declined' });
  });

  it('tell that it stands again once the money of the other one has gone back', async () => {
    await market.perform(worker, worker.intents.abandon(won), 'signed');
    expect((await losing(rival, 'quote.updated')).data.status).toEqual({ from: 'declined', to: 'submitted' });
    expect(typesOf(await all(rival), lost.quoteId)).toEqual(['quote.submitted', 'quote.declined', 'quote.updated']);
  });

  it('tell that its worker has cancelled its signature on the chain', async () => {
    const data = ESCROW.encodeFunctionData('invalidateNonces', [lost.terms.nodeId, 1]);
    const sent = await market.transact(rival.wallet, { to: rival.client.escrowOf(lost.task), data });
    expect(sent.ok).toBe(true);
    expect((await losing(buyer, 'quote.withdrawn')).data.status).toEqual({ from: 'submitted', to: 'withdrawn' });
  });
});

it('events of an agent tell its owner alone', async () => {
  const key = { name: 'Events-1', agent_card_url: 'https://agents.example/card.json' };
  const { id } = await withAgentOwner(worker, 'POST', '/v1/agents', key);
  expect((await told(worker, 'agent.published', id)).data).toMatchObject({ status: { to: 'active' }, available: true });
  await withAgentOwner(worker, 'PATCH', `/v1/agents/${id}`, { capabilities: ['counting'], status: 'inactive' });
  const updated = await told(worker, 'agent.updated', id);
  expect(updated.data).toMatchObject({ status: { from: 'active', to: 'inactive' }, changed: ['capabilities'] });
  expect(JSON.stringify(updated)).not.toMatch(/counting|Events-1/);
  // The same again changes nothing.
  await withAgentOwner(worker, 'PATCH', `/v1/agents/${id}`, { capabilities: ['counting'] });
  await withAgentOwner(worker, 'PUT', `/v1/agents/${id}/availability`, { available: false });
  expect((await told(worker, 'agent.availability_changed', id)).data).toMatchObject({ available: false });
  expect(typesOf(await all(worker), id)).toEqual(['agent.published', 'agent.updated', 'agent.availability_changed']);
  expect(typesOf(await all(buyer), id)).toEqual([]);
});

it('events of a webhook endpoint tell its owner alone', async () => {
  const send = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await callApi(`${market.facts.baseUrl}/v1/webhook-endpoints${path}`, {
      method,
      key: worker.client.self.keys['read'] ?? '',
      headers: { 'Idempotency-Key': randomUUID() },
      ...(body === undefined ? {} : { body }),
    });
    expect([method, path, answer.status]).toEqual([method, path, 200]);
    return answer.body;
  };
  const { id } = await send('POST', '', { url: 'http://127.0.0.1:65535/', types: ['quote.submitted'] });
  const { event_id: eventId } = await send('POST', `/${id}/test`);
  expect((await told(worker, 'webhook_endpoint.test', id)).id).toBe(eventId);
  await send('PATCH', `/${id}`, { enabled: false });
  const disabled = await told(worker, 'webhook_endpoint.disabled', id);
  expect(disabled).toMatchObject({
    subject: { kind: 'webhook_endpoint', id },
    data: { reason: 'owner' },
    links: { resource: `/v1/webhook-endpoints/${id}` },
  });
  expect(JSON.stringify(disabled)).not.toMatch(/65535/);
  expect(typesOf(await all(buyer), id)).toEqual([]);
  await send('DELETE', `/${id}`);
});

describe('the list', () => {
  it('is the same in pages of any size, each behind the last, with the cursor and with the id of an event', async () => {
    const events = await all(buyer);
    expect(events.length).toBeGreaterThan(10);
    const order = events.map(({ sequence }) => sequence);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(new Set(order).size).toBe(order.length);
    expect(await all(buyer, 'limit=3')).toEqual(events);
    const walked: any[] = [];
    for (let after = ''; ;) {
      const { data } = await page(buyer, `?limit=4${after}`);
      if (data.length === 0) break;
      walked.push(...data);
      after = `&after=${data.at(-1).id}`;
    }
    expect(walked).toEqual(events);
    const first = await page(buyer, '?limit=2');
    expect((await page(buyer, `?limit=2&after=${first.next_page}`)).data).toEqual(events.slice(2, 4));
    expect((await page(buyer, `?after=${events.at(-1).id}`)).data).toEqual([]);
  });

  it('keeps the types and the task that are asked for', async () => {
    const events = await all(buyer);
    const types = ['quote.submitted', 'task.opened'];
    expect(await all(buyer, `limit=2&types=${types.join(',')}`)).toEqual(
      events.filter(({ type }) => types.includes(type)),
    );
    const taskId = events.find(({ type }) => type === 'quote.accepted').subject.task_id;
    const ofTask = events.filter(({ subject }) => subject.task_id === taskId);
    expect(ofTask.length).toBeGreaterThan(5);
    expect(await all(buyer, `limit=2&task_id=${taskId}`)).toEqual(ofTask);
    expect(await all(buyer, `task_id=${taskId}&types=quote.accepted`)).toEqual(
      ofTask.filter(({ type }) => type === 'quote.accepted'),
    );
    expect((await page(buyer, '?task_id=task_none')).data).toEqual([]);
  });

  it('links to the next page, and shows each event by its id as in the list', async () => {
    const answer = await call(buyer, '/v1/events?limit=1');
    const [event] = answer.body.data;
    expect(answer.headers.get('link')).toContain(`cursor=${answer.body.next_page}`);
    expect((await call(buyer, `/v1/events/${event.id}`)).body).toEqual(event);
  });

  it.each([
    ['after=evt_00000000000000000000000000', 'invalid_cursor'],
    ['after=nonsense', 'invalid_cursor'],
    ['cursor=nonsense', 'invalid_cursor'],
    ['after=', 'invalid_parameter'],
    ['types=quote.eaten', 'invalid_parameter'],
    ['types=', 'invalid_parameter'],
    ['task_id=%20', 'invalid_parameter'],
    ['limit=0', 'invalid_parameter'],
    ['since=1', 'unknown_parameter'],
  ])('refuses ?%s', async (query, code) => {
    const { status, body } = await call(buyer, `/v1/events?${query}`);
    expect([status, body.error.code]).toEqual([400, code]);
  });

  it('does not begin behind an event that the caller may not read, nor goes on with the cursor of another', async () => {
    const secret = (await all(worker)).find(({ type }) => type === 'agent.published');
    const { next_page: cursor } = await page(worker, '?limit=1');
    for (const query of [`after=${secret.id}`, `cursor=${cursor}`]) {
      const { status, body } = await call(buyer, `/v1/events?${query}`);
      expect([status, body.error.code]).toEqual([400, 'invalid_cursor']);
    }
  });
});

describe('what time alone changes', () => {
  it('is told once: a draft that was not signed, an offer and a task whose time is over', async () => {
    const { action } = await market.ask(buyer, buyer.intents.createTask(scenario.taskBody()));
    const task = await scenario.task(buyer);
    const offer = await scenario.offer(buyer, worker, task);
    await market.travel(2 * DAY + 60);
    expect((await told(buyer, 'task.cancelled', action.task_id)).data.status).toEqual({
      from: 'draft',
      to: 'cancelled',
    });
    for (const who of [buyer, worker]) {
      const { data } = await told(who, 'quote.expired', offer.quoteId);
      expect(data.status).toEqual({ from: 'submitted', to: 'expired' });
    }
    await market.travel(20 * DAY);
    expect((await told(stranger, 'task.expired', task.id)).data.status).toEqual({ from: 'open', to: 'expired' });
    // Long enough for another round of every job.
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const events = await all(buyer);
    expect(typesOf(events, offer.quoteId)).toEqual(['quote.submitted', 'quote.expired']);
    expect(typesOf(events, task.id)).toEqual(['task.created', 'task.opened', 'task.expired']);
    expect(typesOf(events, action.task_id)).toEqual(['task.created', 'task.cancelled']);
    expect(typesOf(await all(stranger), action.task_id)).toEqual([]);
  });
});

it('no type is in the catalogue that nothing here has provoked', () => {
  expect([...provoked].sort()).toEqual([...EVENT_TYPES].sort());
});
