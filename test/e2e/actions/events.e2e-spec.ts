import { randomUUID } from 'node:crypto';
import { Interface } from 'ethers';
import { EVENT_TYPES } from '../../../src/modules/events/catalogue/event-types.js';
import { EventModel } from '../../support/event-model.js';
import { MarketDocument } from '../../support/e2e/document.js';
import { EventReader } from './event-reader.js';
import { type Actor, IntentsMarket } from '../../support/e2e/intents-market.js';
import { DAY, IntentsScenario, type Offer } from '../../support/e2e/intents-scenario.js';
import { nodeIdOf } from '../../support/e2e/spec-client.js';
import { EventStreamReader } from '../../support/event-stream-reader.js';
import { eventually } from '../../support/eventually.js';
import { callApi } from '../../support/market.js';

/** Every type of event, provoked over HTTP or on the chain, and who gets to read it. */
const ESCROW = new Interface(['function invalidateNonces(uint256 word, uint256 mask)']);

let market: IntentsMarket;
let scenario: IntentsScenario;
let reader: EventReader;
let buyer: Actor;
let worker: Actor;
let rival: Actor;
/** A party of nothing. */
let stranger: Actor;

beforeAll(async () => {
  market = await IntentsMarket.start();
  scenario = new IntentsScenario(market);
  reader = new EventReader(market.facts.baseUrl, await MarketDocument.load());
  buyer = await market.actor('Buyer');
  worker = await market.actor('Worker');
  rival = await market.actor('Rival');
  stranger = await market.actor('Stranger');
});
afterAll(() => market?.stop());

const call = (who: Actor, path: string) => reader.call(who, path);
const page = (who: Actor, query?: string) => reader.page(who, query);
const all = (who: Actor, query?: string) => reader.all(who, query);
const told = (who: Actor, type: string, subjectId: string) => reader.told(who, type, subjectId);

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
    const types = typesOf(await all(stranger), task.id).filter((type) => type !== 'task.matched');
    expect(types).toEqual(['task.opened']);
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
    // The invitation came after the opening, and tells what was told before.
    const invited = await told(worker, 'task.invited', task.id);
    expect(invited.data).toMatchObject({ status: { to: 'open' }, budget: { amount: '1000.50', currency: 'USDC' } });
    expect((await call(buyer, `/v1/events/${invited.id}`)).status).toBe(404);
    expect(typesOf(await all(worker), task.id)).toEqual(['task.invited', 'task.agent_selected']);
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

describe('events of a tree', () => {
  let arbiter: Actor;
  let root: Offer;
  let child: Offer;
  const nodeOf = ({ task, terms }: Offer): string => nodeIdOf(task, terms.nodeId);
  const deliveryOf = (offer: Offer, revision: number): string =>
    `${nodeOf(offer).replace(/^node_/, 'dlv_')}_${revision}`;
  const receiptOf = (offer: Offer): string => nodeOf(offer).replace(/^node_/, 'rcpt_');

  it('tell of each transition of a node what it led to, until when, and by which log of the chain', async () => {
    arbiter = await market.actor('Arbiter');
    root = await scenario.funded(buyer, worker, {}, await scenario.task(buyer, { arbiter: arbiter.wallet }));
    const funded = await told(buyer, 'node.funded', nodeOf(root));
    const { delivery_deadline: deadline } = await scenario.node(root);
    expect(funded).toMatchObject({
      subject: { kind: 'node', id: nodeOf(root), task_id: root.task.id },
      data: {
        status: { to: 'funded' },
        amount: { amount: '100.00', currency: 'USDC' },
        worker_agent_id: worker.client.self.agentId,
        deadline,
      },
      chain: { chain_id: 31337, finality: 'confirmed' },
      links: { resource: `/v1/tasks/${root.task.id}/nodes` },
    });
    // Its block and transaction are those of the chain.
    const { anvil } = market.stack.chain;
    const receipt = await anvil.rpc<any>('eth_getTransactionReceipt', funded.chain.tx_hash);
    expect([Number(receipt.blockNumber), receipt.status]).toEqual([funded.chain.block, '0x1']);
    expect((await told(stranger, 'task.funded', root.task.id)).data.status).toEqual({
      from: 'funding_pending',
      to: 'funded',
    });
    child = await scenario.child(root, rival);
    const subcontracted = await told(buyer, 'node.subcontracted', nodeOf(root));
    expect(subcontracted.data).toMatchObject({ child_node_id: nodeOf(child) });
    expect(subcontracted.data.status).toBeUndefined();
    expect((await told(rival, 'node.funded', nodeOf(child))).data.parent_node_id).toBe(nodeOf(root));
    // Who works below does not see the node above, and a stranger sees none.
    expect(typesOf(await all(rival), nodeOf(root))).toEqual([]);
    expect((await call(rival, `/v1/events/${funded.id}`)).status).toBe(404);
    expect((await all(stranger)).filter(({ subject }) => subject.kind === 'node')).toEqual([]);
  });

  it('tell of deliveries, their rejection and acceptance, and of what is earned', async () => {
    await scenario.accepted(child);
    expect((await told(worker, 'delivery.submitted', deliveryOf(child, 1))).data).toMatchObject({
      status: { to: 'submitted' },
      node_id: nodeOf(child),
      revision: 1,
    });
    expect((await told(rival, 'delivery.released', deliveryOf(child, 1))).data.status).toEqual({
      from: 'submitted',
      to: 'released',
    });
    expect((await told(rival, 'node.released', nodeOf(child))).data).toMatchObject({
      status: { from: 'delivered', to: 'released' },
      outcome: 'accepted',
      worker_share: { amount: '10.00', currency: 'USDC' },
    });
    // The node above can still fail, so nothing is earned for good.
    expect(typesOf(await all(rival), receiptOf(child))).toEqual([]);
    const hash = await scenario.deliver(root);
    expect((await told(buyer, 'node.delivered', nodeOf(root))).data).toMatchObject({
      deadline: (await scenario.node(root)).accept_deadline,
    });
    expect((await told(stranger, 'task.delivered', root.task.id)).data.status.from).toBe('funded');
    await market.perform(buyer, buyer.intents.reject(root, hash, 'Page 12 is missing.'), 'signed');
    for (const [type, id] of [
      ['node.rejected', nodeOf(root)],
      ['delivery.rejected', deliveryOf(root, 1)],
      ['task.rejected', root.task.id],
    ] as const) {
      const event = await told(worker, type, id);
      expect(event.data.status.to).toBe('rejected');
      expect(JSON.stringify(event)).not.toMatch(/missing/);
    }
    await market.perform(worker, worker.intents.dispute(root), 'signed');
    await told(worker, 'node.disputed', nodeOf(root));
    expect((await told(stranger, 'task.disputed', root.task.id)).data.status).toEqual({
      from: 'rejected',
      to: 'disputed',
    });
    await market.perform(buyer, buyer.intents.resolve(root, hash), 'signed');
    await told(stranger, 'task.resolved', root.task.id);
    expect((await told(buyer, 'delivery.released', deliveryOf(root, 1))).data.status.from).toBe('rejected');
    for (const [who, offer, amount] of [
      [worker, root, '90.00'],
      [rival, child, '10.00'],
    ] as const) {
      const earned = await told(who, 'earnings.available', nodeOf(offer));
      expect(earned.data.amount).toEqual({ amount, currency: 'USDC' });
      expect((await call(buyer, `/v1/events/${earned.id}`)).status).toBe(404);
    }
    expect((await told(stranger, 'reputation.updated', worker.client.self.agentId)).data).toMatchObject({
      score: expect.any(Number),
      settlements: expect.any(Number),
    });
    expect((await told(buyer, 'receipt.issued', receiptOf(root))).data).toMatchObject({
      amount: { amount: '100.00', currency: 'USDC' },
      node_id: nodeOf(root),
      outcome: 'released',
    });
    await market.perform(rival, rival.intents.withdrawEarnings(child, rival.wallet, child.terms.amount), 'signed');
    expect((await told(rival, 'earnings.withdrawn', nodeOf(child))).data).toMatchObject({
      amount: { amount: '10.00', currency: 'USDC' },
      recipient: rival.wallet,
    });
  });

  it('tell of money that went back, and that it was taken out', async () => {
    const lost = await scenario.funded(buyer, worker);
    await market.perform(worker, worker.intents.abandon(lost), 'signed');
    expect((await told(worker, 'node.refunded', nodeOf(lost))).data).toMatchObject({
      status: { from: 'funded', to: 'refunded' },
      outcome: 'abandoned',
      hirer_share: { amount: '100.00', currency: 'USDC' },
    });
    await told(stranger, 'task.refunded', lost.task.id);
    const back = await told(buyer, 'refund.available', nodeOf(lost));
    expect(back.data.amount).toEqual({ amount: '100.00', currency: 'USDC' });
    expect((await call(worker, `/v1/events/${back.id}`)).status).toBe(404);
    await market.perform(buyer, buyer.intents.withdrawRefund(lost.task, buyer.wallet, lost.terms.amount), 'signed');
    expect((await told(buyer, 'refund.withdrawn', lost.task.id)).data.recipient).toBe(buyer.wallet);
  });

  it('are taken back by name when the chain replaces their blocks, and told anew', async () => {
    const { anvil } = market.stack.chain;
    const again = await scenario.funded(buyer, worker);
    await told(buyer, 'node.funded', nodeOf(again));
    const snapshot = await anvil.rpc('evm_snapshot');
    const hash = await scenario.deliver(again);
    const undone = await told(worker, 'node.delivered', nodeOf(again));
    await anvil.rpc('evm_revert', snapshot);
    await anvil.mine(2);
    const { task } = again;
    await told(buyer, 'chain.reverted', task.id);
    for (const who of [buyer, worker, stranger]) {
      const read = await all(who, `limit=100&task_id=${task.id}`);
      const named: string[] = read
        .filter(({ type }) => type === 'chain.reverted')
        .flatMap(({ data }) => data.event_ids);
      const of = read.filter(({ type, chain }) => chain?.block >= undone.chain.block && type !== 'chain.reverted');
      expect(named.toSorted()).toEqual(of.map(({ id }): string => id).toSorted());
      expect(named.includes(undone.id)).toBe(who !== stranger);
    }
    await scenario.deliver(again, 'Another work');
    await eventually(async () => typesOf(await all(buyer), nodeOf(again)).length === 3);
    const model = new EventModel();
    for (const event of await all(buyer)) model.take(event);
    expect(model.nodes[nodeOf(again)]).toBe('delivered');
    expect(model.tasks[task.id]).toBe(await scenario.status(buyer, task));
    expect((await scenario.node(again)).artifact_hash).not.toBe(hash);
  });
});

it('an open stream tells of a quote its worker and the payer, in order, and nobody else', async () => {
  const streamOf = (who: Actor, query = '') =>
    EventStreamReader.open(market.facts.baseUrl, { key: who.client.self.keys['read'] ?? '', query });
  // What the buyer's own actions tell begins before the streams do.
  const types = EVENT_TYPES.filter((type) => /^(?:quote|task|node)\.(?!matched)/.test(type)).join(',');
  const task = await scenario.task(buyer);
  // The streams begin behind it.
  await told(stranger, 'task.opened', task.id);
  const watching = [buyer, worker, rival, stranger];
  const streams = await Promise.all(watching.map((who) => streamOf(who, `?task_id=${task.id}&types=${types}`)));
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const [ofBuyer, ofWorker, ofRival, ofStranger] = streams as [
    EventStreamReader,
    EventStreamReader,
    ...EventStreamReader[],
  ];
  const offer = await scenario.offer(buyer, worker, task);
  await eventually(() => ofBuyer.frames.length > 0 && ofWorker.frames.length > 0);
  const submitted = await told(worker, 'quote.submitted', offer.quoteId);
  expect([ofBuyer.frames[0]?.data, ofWorker.frames[0]?.data]).toEqual([submitted, submitted]);
  await market.sign(buyer, buyer.intents.selectAgent(offer));
  await scenario.fund(offer, 'authorization', 'signed');
  const accepted = await told(worker, 'quote.accepted', offer.quoteId);
  await eventually(() => ofBuyer.ids.includes(accepted.id) && ofWorker.ids.includes(accepted.id));
  for (const [index, who] of watching.entries()) {
    const listed = await all(
      who,
      `limit=100&task_id=${task.id}&types=${types}&after=${await lastBefore(who, submitted)}`,
    );
    const stream = streams[index]!;
    await eventually(() => stream.frames.length >= listed.length);
    expect(stream.frames.map(({ data }) => data)).toEqual(listed);
    stream.close();
  }
  expect(
    [...(ofRival?.frames ?? []), ...(ofStranger?.frames ?? [])].filter(({ event }) => event.startsWith('quote')),
  ).toEqual([]);
  // Whoever was away goes on behind the last event.
  const late = await streamOf(worker, `?task_id=${task.id}&after=${submitted.id}`);
  await eventually(() => late.ids.includes(accepted.id));
  expect(late.ids).not.toContain(submitted.id);
  late.close();
});

/** The newest event that the caller could read before this one. */
async function lastBefore(who: Actor, { sequence }: any): Promise<string> {
  return (await all(who)).findLast((event) => event.sequence < sequence)?.id;
}

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

it('that a time to act comes near and is over is told to those that see the node', async () => {
  const offer = await scenario.funded(buyer, worker);
  const { id, delivery_deadline: deadline } = await scenario.node(offer);
  await market.travel(Math.floor((Date.parse(deadline) - market.nowMs) / 1000) - 1_800);
  const warned = await told(worker, 'node.deadline_approaching', id);
  expect(warned).toMatchObject({
    data: { deadline, until_then: 'deliver', hours: 1, state: 'funded', effective_state: 'funded' },
    links: { resource: `/v1/tasks/${offer.task.id}/nodes` },
  });
  await market.travel(1_860);
  expect((await told(buyer, 'node.deadline_passed', id)).data).toMatchObject({ deadline, until_then: 'deliver' });
  expect((await call(stranger, `/v1/events/${warned.id}`)).status).toBe(404);
});

it('no type is in the catalogue that nothing here has provoked', () => {
  // Others are provoked by account-events.int-spec.ts, action-events.int-spec.ts and told-owners.int-spec.ts.
  const here = EVENT_TYPES.filter((type) => !/^(?:app|api_key|wallet|action)\.|^task\.matched$/.test(type));
  expect([...reader.provoked].sort()).toEqual(here.toSorted());
});
