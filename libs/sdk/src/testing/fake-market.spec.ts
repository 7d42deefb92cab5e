import { readFileSync } from 'node:fs';
import type { Hex } from '#libs/notation';
import { Marketplace } from '../marketplace.js';
import { type FakeAccount, FakeMarket } from './fake-market.js';

const PROGRAMS = new Map(
  [...readFileSync('libs/sdk/README.md', 'utf8').matchAll(/<!-- run by a test: (\w+) -->\n+```js\n([^]*?)```\n/g)].map(
    ([, name = '', text = '']) => [name, text],
  ),
);
const BUDGET = { amount: '60', currency: 'USDC' } as const;
const TASK = {
  title: 'Forty pages',
  brief: 'Translate 40 pages into French.',
  budget: BUDGET,
  selection_mode: 'manual',
  tier: 'private_curated',
} as const;
const ARBITER: Hex = `0x${'a'.repeat(40)}`;
const CARD = 'https://lingua.example/card.json';

/** A market with somebody who has an agent. */
async function market(options = {}) {
  const fake = new FakeMarket(options);
  const [buyer, worker] = [fake.account('Bo'), fake.account('Lena')];
  const bo = new Marketplace(buyer.settings);
  const lena = new Marketplace(worker.settings);
  const agent = await lena.agents.publish({ name: 'Lingua-7', agent_card_url: CARD });
  return { fake, buyer, worker, bo, lena, agent };
}

/** Runs a program of the README as it stands there, with the fake's account where it makes a wallet and reads its file. */
function runs(name: string, { settings, wallet }: FakeAccount, own: object): Promise<void> {
  const program = (PROGRAMS.get(name) ?? '').replace(/^import .*\n/gm, '');
  const WalletOf = function (): object {
    return wallet;
  };
  const names = ['settings', 'Marketplace', 'Wallet', 'JsonRpcProvider', 'process'];
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const run = new Function(...names, `return (async () => {${program}})()`) as (...given: unknown[]) => Promise<void>;
  return run({ ...settings, ...own }, Marketplace, WalletOf, class {}, { env: {} });
}

it('the programs of the README play a job on it, from its creation to the withdrawn pay', async () => {
  const { buyer, worker, bo, lena } = await market();
  const [last] = await lena.events.list().toArray({ limit: 100 });
  await Promise.all([runs('worker', worker, { after: last?.id }), runs('buyer', buyer, { task: TASK })]);
  const [task] = await bo.tasks.list({ role: 'buyer' }).toArray({ limit: 5 });
  expect(task).toMatchObject({ title: TASK.title, status: 'resolved' });
  expect(await lena.earnings.get()).toMatchObject({ pending: '0.00', claimable: '0.00', paid: '60.00' });
  const told = await lena.events.list({ types: 'earnings.withdrawn' }).toArray({ limit: 5 });
  expect(told.map(({ data }) => data)).toMatchObject([{ amount: { amount: '60.00' } }]);
});

/** A job that is in work, and its parts. */
async function job(asked: { arbiter?: Hex } = {}) {
  const made = await market();
  const { bo, lena, buyer, worker } = made;
  const { task_id = '' } = await bo.tasks.prepareCreation({ ...TASK, tier: 'public', ...asked }).send(buyer.wallet);
  const { terms_hash = '' } = await lena.tasks.get(task_id);
  await lena.quotes.prepare({ task_id, price: BUDGET, terms_hash }).send(worker.wallet);
  const quote = await bo.quotes.first(task_id);
  const { arbiter } = asked;
  const own = arbiter === undefined ? {} : { tree: { buyer: buyer.wallet.address as Hex, arbiter } };
  await bo.tasks.prepareSelection(task_id, { quote }, own).send(buyer.wallet);
  await bo.tasks.prepareFunding(task_id, { quote }, own).send(buyer.wallet);
  const [node] = await bo.tasks.nodes(task_id).toArray({ limit: 1 });
  if (node === undefined) throw new Error('Nothing was funded');
  return { ...made, task_id, terms_hash, node };
}

describe('every kind passes the checks:', () => {
  it('a helper is hired, delivers and is paid with the node above', async () => {
    const { fake, lena, worker, task_id, terms_hash, node } = await job();
    const { wallet, settings } = fake.account('Hana');
    const hana = new Marketplace(settings);
    await hana.agents.publish({ name: 'Helper', agent_card_url: CARD });
    const price = { amount: '10', currency: 'USDC' } as const;
    const accept_window_seconds = 259_200;
    const offer = { task_id, price, terms_hash, parent_node_id: node.id, accept_window_seconds };
    const { record } = await hana.quotes.prepare(offer).then((action) => action.submit('0x1234'));
    expect(record).toMatchObject({ kind: 'submit_quote', status: 'signed' });
    const [quote] = await hana.quotes.list({ task_id }).toArray({ limit: 1 });
    if (quote === undefined) throw new Error('There is no offer');
    await lena.nodes.prepareSubcontract(node, { quote, accept_window_seconds }).send(worker.wallet);
    const nodes = await lena.tasks.nodes(task_id).toArray({ limit: 5 });
    expect(nodes.map(({ parent_node_id }) => parent_node_id)).toEqual([null, node.id]);
    const artifact = await hana.deliveries.upload('One page.');
    await hana.deliveries.prepare({ task_id, artifact, pay_out: true }).send(wallet);
    const part = nodes[1] ?? node;
    await lena.nodes.prepareRejection(part, { reason: 'Page 12 is missing.' }).send(worker.wallet);
    await hana.deliveries.prepare({ task_id, artifact, pay_out: false }).send(wallet);
    await lena.nodes.prepareResolution(part, { resolution: 'accept' }).send(worker.wallet);
    expect(await hana.earnings.get()).toMatchObject({ claimable: '10.00' });
    expect(await hana.tasks.get(task_id)).toMatchObject({ status: 'funded' });
  });

  it('a rejected delivery is disputed, and then accepted', async () => {
    const { bo, lena, buyer, worker, task_id, node } = await job({ arbiter: ARBITER });
    const artifact = await lena.deliveries.upload('Forty pages.');
    await lena.deliveries.prepare({ task_id, artifact, pay_out: true }).send(worker.wallet);
    await bo.tasks.prepareRejection(task_id).send(buyer.wallet);
    await lena.nodes.prepareDispute(node).send(worker.wallet);
    expect(await bo.tasks.get(task_id)).toMatchObject({ status: 'disputed' });
    await bo.tasks.prepareResolution(task_id).send(buyer.wallet);
    expect(await lena.earnings.get()).toMatchObject({ paid: '60.00', claimable: '0.00' });
    expect(await bo.receipts({ task_id }).toArray({ limit: 5 })).toMatchObject([{ outcome: 'released' }]);
  });

  it('what is not delivered in time is claimed back, and taken out', async () => {
    const { fake, bo, lena, buyer, worker, task_id, node } = await job();
    await expect(bo.nodes.prepareNonDeliveryClaim(node)).rejects.toMatchObject({ code: 'window_not_open' });
    await expect(lena.nodes.prepareNonDeliveryClaim(node)).rejects.toMatchObject({ code: 'window_not_open' });
    fake.advance(8 * 86_400);
    expect((await bo.tasks.get(task_id)).allowed_actions).toEqual(['claim_non_delivery']);
    await bo.nodes.prepareNonDeliveryClaim(node).send(buyer.wallet);
    expect((await bo.tasks.get(task_id)).allowed_actions).toEqual(['withdraw_refund']);
    const destination = buyer.wallet.address;
    const ofOther = { destination, wallet: worker.wallet.address };
    await expect(bo.tasks.prepareRefundWithdrawal(task_id, ofOther)).rejects.toMatchObject({ code: 'state_conflict' });
    await bo.tasks.prepareRefundWithdrawal(task_id, { destination, wallet: destination }).send(buyer.wallet);
    expect((await bo.tasks.get(task_id)).allowed_actions).toEqual([]);
  });

  it('a worker gives up', async () => {
    const { bo, lena, worker, task_id, node } = await job();
    await lena.nodes.prepareAbandonment(node).send(worker.wallet);
    expect(await bo.tasks.get(task_id)).toMatchObject({ status: 'refunded' });
  });
});

describe('a node allows what the service would allow:', () => {
  const DAY = 86_400;
  const mayOf = async ({ tasks }: Marketplace, id: string) => (await tasks.get(id)).allowed_actions;

  /** A job that was delivered and rejected. */
  async function rejected(asked: { arbiter?: Hex } = {}) {
    const made = await job(asked);
    const { bo, lena, buyer, worker, task_id } = made;
    const artifact = await lena.deliveries.upload('Forty pages.');
    await lena.deliveries.prepare({ task_id, artifact, pay_out: true }).send(worker.wallet);
    await bo.tasks.prepareRejection(task_id).send(buyer.wallet);
    return { ...made, artifact };
  }

  it('offers to who has an agent, work to the worker', async () => {
    const { lena, bo, task_id, buyer } = await job();
    expect(await mayOf(lena, task_id)).toEqual(['deliver', 'abandon_node', 'subcontract']);
    expect(await mayOf(bo, task_id)).toEqual([]);
    const { task_id: open = '' } = await bo.tasks.prepareCreation({ ...TASK, tier: 'public' }).send(buyer.wallet);
    expect(await mayOf(lena, open)).toEqual(['submit_quote']);
  });

  it('no dispute without an arbiter, and the rejection stands once the time to deliver again is over', async () => {
    const { fake, bo, lena, task_id, node } = await rejected();
    await expect(lena.nodes.prepareDispute(node)).rejects.toMatchObject({ code: 'state_conflict' });
    expect(await mayOf(lena, task_id)).toEqual(['deliver']);
    fake.advance(5 * DAY);
    expect(await mayOf(bo, task_id)).toEqual(['resolve_task']);
    fake.advance(3 * DAY);
    await expect(bo.tasks.prepareResolution(task_id)).rejects.toMatchObject({ code: 'window_closed' });
  });

  it('a rejection in time alone', async () => {
    const { fake, bo, lena, worker, task_id } = await job();
    const artifact = await lena.deliveries.upload('Forty pages.');
    await lena.deliveries.prepare({ task_id, artifact, pay_out: true }).send(worker.wallet);
    expect(await mayOf(bo, task_id)).toEqual(['resolve_task', 'reject_task']);
    fake.advance(3 * DAY + 1);
    await expect(bo.tasks.prepareRejection(task_id)).rejects.toMatchObject({ code: 'window_closed' });
    expect(await mayOf(bo, task_id)).toEqual(['resolve_task']);
  });

  it('a dispute while its window runs, and a settlement while the arbiter may rule', async () => {
    const { fake, bo, lena, worker, task_id, node } = await rejected({ arbiter: ARBITER });
    expect(await mayOf(lena, task_id)).toEqual(['deliver', 'dispute_node']);
    await lena.nodes.prepareDispute(node).send(worker.wallet);
    fake.advance(29 * DAY);
    expect(await mayOf(bo, task_id)).toEqual(['resolve_task']);
    fake.advance(2 * DAY);
    expect(await mayOf(bo, task_id)).toEqual([]);
  });

  it('a rejection that nobody can answer is final', async () => {
    const { fake, bo, lena, buyer, worker, task_id } = await job();
    const artifact = await lena.deliveries.upload('Forty pages.');
    fake.advance(7 * DAY - 60);
    await lena.deliveries.prepare({ task_id, artifact, pay_out: true }).send(worker.wallet);
    fake.advance(120);
    await bo.tasks.prepareRejection(task_id).send(buyer.wallet);
    expect(await bo.tasks.get(task_id)).toMatchObject({ status: 'refunded', allowed_actions: ['withdraw_refund'] });
  });

  it('no end to a node that others work under; what comes back from them twice is taken out twice', async () => {
    const { fake, lena, worker, task_id, terms_hash, node } = await job();
    const { wallet, settings } = fake.account('Hana');
    const hana = new Marketplace(settings);
    await hana.agents.publish({ name: 'Helper', agent_card_url: CARD });
    const price = { amount: '10', currency: 'USDC' } as const;
    const offer = { task_id, price, terms_hash, parent_node_id: node.id };
    for (const _part of ['first', 'second']) {
      await hana.quotes.prepare(offer).then((action) => action.submit('0x1234'));
      const [quote] = await hana.quotes.list({ task_id }).toArray({ limit: 1 });
      await lena.nodes.prepareSubcontract(node, { quote: quote!, accept_window_seconds: 259_200 }).send(worker.wallet);
    }
    await expect(lena.nodes.prepareAbandonment(node)).rejects.toMatchObject({ code: 'state_conflict' });
    const [, first, second] = await lena.tasks.nodes(task_id).toArray({ limit: 5 });
    await hana.nodes.prepareAbandonment(first!).send(wallet);
    const withdrawal = await lena.tasks.prepareRefundWithdrawal(task_id, { destination: worker.wallet.address });
    await hana.nodes.prepareAbandonment(second!).send(wallet);
    await withdrawal.send(worker.wallet);
    expect(await mayOf(lena, task_id)).toEqual(['withdraw_refund', 'deliver', 'abandon_node', 'subcontract']);
  });
});

describe('a helper under a node:', () => {
  /** A job under which somebody was hired, who has delivered. */
  async function helped(floor: string) {
    const made = await job({ arbiter: ARBITER });
    const { fake, lena, worker, task_id, terms_hash, node } = made;
    const { wallet, settings } = fake.account('Hana');
    const hana = new Marketplace(settings);
    await hana.agents.publish({ name: 'Helper', agent_card_url: CARD });
    const money = (amount: string) => ({ amount, currency: 'USDC' }) as const;
    const offer = { task_id, price: money('10'), floor: money(floor), terms_hash, parent_node_id: node.id };
    await hana.quotes.prepare(offer).then((action) => action.submit('0x1234'));
    const [quote] = await hana.quotes.list({ task_id }).toArray({ limit: 1 });
    await lena.nodes.prepareSubcontract(node, { quote: quote!, accept_window_seconds: 259_200 }).send(worker.wallet);
    const artifact = await hana.deliveries.upload('One page.');
    await hana.deliveries.prepare({ task_id, artifact, pay_out: true }).send(wallet);
    const part = (await lena.tasks.nodes(task_id).toArray({ limit: 5 }))[1]!;
    return { ...made, hana, wallet, part };
  }

  it.each([
    ['0', true],
    ['4', false],
  ])('a dispute about it that the arbiter let pass keeps its floor of %s', async (floor, isFree) => {
    const { fake, lena, worker, hana, wallet, node, part } = await helped(floor);
    await lena.nodes.prepareRejection(part).send(worker.wallet);
    await hana.nodes.prepareDispute(part).send(wallet);
    const givenUp = async () =>
      lena.nodes.prepareAbandonment(node).then(
        () => 'prepared',
        ({ code }) => code,
      );
    fake.advance(29 * 86_400);
    expect(await givenUp()).toBe('state_conflict');
    fake.advance(2 * 86_400);
    expect(await givenUp()).toBe(isFree ? 'prepared' : 'state_conflict');
  });

  it('is reviewed by its hirer, and the node above by the buyer, who may name it', async () => {
    const { bo, buyer, lena, worker, task_id, node, part } = await helped('4');
    const accepted = { resolution: 'accept' } as const;
    for (const node_id of [part.id, `${part.id}-9`]) {
      const refused = { code: 'not_found' };
      await expect(bo.tasks.prepareResolution(task_id, { ...accepted, node_id })).rejects.toMatchObject(refused);
      await expect(bo.tasks.prepareRejection(task_id, { node_id })).rejects.toMatchObject(refused);
    }
    const artifact = await lena.deliveries.upload('Forty pages.');
    await lena.deliveries.prepare({ task_id, artifact, pay_out: true }).send(worker.wallet);
    await bo.tasks.prepareRejection(task_id, { node_id: node.id }).send(buyer.wallet);
    await bo.tasks.prepareResolution(task_id, { ...accepted, node_id: node.id }).send(buyer.wallet);
    expect(await bo.tasks.get(task_id)).toMatchObject({ status: 'resolved' });
  });
});

it.each(['permit', 'allowance', 'refund_balance'] as const)(
  'a payment by %s passes the checks',
  async (funding_mode) => {
    const { bo, lena, buyer, worker } = await market();
    const { task_id = '' } = await bo.tasks.prepareCreation({ ...TASK, tier: 'public' }).send(buyer.wallet);
    const { terms_hash = '' } = await lena.tasks.get(task_id);
    await lena.quotes.prepare({ task_id, price: BUDGET, terms_hash }).send(worker.wallet);
    const quote = await bo.quotes.first(task_id);
    await bo.tasks.prepareSelection(task_id, { mode: 'auto', most: '60' }).send(buyer.wallet);
    await bo.tasks.prepareFunding(task_id, { quote, funding_mode }).send(buyer.wallet);
    expect(await bo.tasks.get(task_id)).toMatchObject({ status: 'funded' });
  },
);

describe('a test can say', () => {
  it('what is refused next', async () => {
    const { fake, lena } = await market();
    fake.answerNext(403, 'funding_cap_exceeded', 'listQuotes');
    await lena.tasks.list().page();
    await expect(lena.quotes.list().page()).rejects.toMatchObject({ status: 403, code: 'funding_cap_exceeded' });
    await expect(lena.quotes.list().page()).resolves.toEqual({ data: [], next_page: null });
    fake.answerNext(503, 'service_unavailable');
    const quick = new Marketplace({ ...fake.account('Lena').settings, pause: () => Promise.resolve() });
    await expect(quick.tasks.list().page()).resolves.toMatchObject({ data: [] });
  });

  it('what becomes of an action', async () => {
    const { fake, bo, lena, buyer, worker } = await market({ settles: 'by_hand' });
    const { id } = await bo.tasks.prepareCreation(TASK);
    fake.settle(id, 'declined');
    await expect(bo.actions.wait(id)).rejects.toThrow('declined');
    expect(() => fake.settle(id, 'final')).toThrow('declined');
    const { task_id = '' } = await bo.tasks.prepareCreation({ ...TASK, tier: 'public' }).send(buyer.wallet);
    const { terms_hash = '' } = await lena.tasks.get(task_id);
    await lena.quotes.prepare({ task_id, price: BUDGET, terms_hash }).send(worker.wallet);
    const quote = await bo.quotes.first(task_id);
    await bo.tasks.prepareSelection(task_id, { quote }).send(buyer.wallet);
    const payment = await bo.tasks.prepareFunding(task_id, { quote });
    const paid = payment.send(buyer.wallet);
    await bo.events.once('action.submitted', { task_id });
    expect(await bo.tasks.get(task_id)).toMatchObject({ status: 'selected' });
    expect(() => fake.settle(payment.id, 'opened')).toThrow('submitted');
    fake.settle(payment.id, 'final');
    expect(() => fake.settle(payment.id, 'failed')).toThrow('final');
    await expect(paid).resolves.toMatchObject({ status: 'final' });
    expect(await bo.tasks.get(task_id)).toMatchObject({ status: 'funded' });
  });

  it('that an action is declined, until it is signed', async () => {
    const { bo, buyer } = await market({ settles: 'by_hand' });
    const action = await bo.tasks.prepareCreation(TASK);
    await expect(bo.actions.decline(action.id, { scope: 'worker' })).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    const declined = { status: 'declined', declined_by: 'credential' };
    await expect(bo.actions.decline(action.id)).resolves.toMatchObject(declined);
    await expect(bo.actions.decline(action.id)).resolves.toMatchObject(declined);
    await expect(action.submit('0x1234')).rejects.toMatchObject({ code: 'state_conflict' });
    await expect(bo.actions.wait(action.id)).rejects.toThrow('declined');
    const signed = await bo.tasks.prepareCreation(TASK);
    await signed.submit(await signed.signWith(buyer.wallet));
    await expect(bo.actions.decline(signed.id)).rejects.toMatchObject({ code: 'state_conflict' });
  });

  it('what happens', async () => {
    const { fake, lena, worker } = await market();
    const told = lena.events.once('app.revoked');
    const event = fake.events.emit('app.revoked', { to: worker, subject: { kind: 'app', id: 'app_1' }, data: {} });
    await expect(told).resolves.toEqual(event);
    expect(await lena.events.get(event.id)).toEqual(event);
  });

  it('what happens after a stream was given up', async () => {
    const { fake, worker } = await market();
    const { baseUrl, keys } = worker.settings;
    const headers = { 'X-Api-Key': keys.read ?? '' };
    const response = await fake.fetch(`${baseUrl}/v1/events/stream`, { method: 'GET', headers });
    await response.body?.cancel();
    const happens = () => fake.events.emit('app.revoked', { to: worker, subject: { kind: 'app', id: 'a' }, data: {} });
    expect(happens).not.toThrow();
  });

  it('that time passes', async () => {
    const { fake, bo } = await market();
    const { id } = await bo.tasks.prepareCreation(TASK);
    fake.advance(901);
    expect(await bo.actions.get(id)).toMatchObject({ status: 'expired' });
  });
});
