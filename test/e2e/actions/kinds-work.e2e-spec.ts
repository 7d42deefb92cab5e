import { type Actor, IntentsMarket, type WalletKind, type Way } from '../../support/e2e/intents-market.js';
import { DAY, IntentsScenario, type Offer, USDC } from '../../support/e2e/intents-scenario.js';
import { sha256 } from '../../support/e2e/spec-client.js';

/**
 * Every kind that changes a node's state, over HTTP and with every kind of wallet. This spec has its own chain, because
 * it moves the time.
 */
const WALLETS: WalletKind[] = ['EOA', 'ERC-1271'];
const EVERY = WALLETS.flatMap((wallet): [WalletKind, Way][] => [
  [wallet, 'signed'],
  [wallet, 'direct'],
]);

let market: IntentsMarket;
let scenario: IntentsScenario;
let arbiter: string;
const buyers = {} as Record<WalletKind, Actor>;
const workers = {} as Record<WalletKind, Actor>;
const children = {} as Record<WalletKind, Actor>;

beforeAll(async () => {
  market = await IntentsMarket.start();
  scenario = new IntentsScenario(market);
  arbiter = (await market.actor('Arbiter')).wallet;
  for (const wallet of WALLETS) {
    buyers[wallet] = await market.actor(`Buyer ${wallet}`, wallet);
    workers[wallet] = await market.actor(`Worker ${wallet}`, wallet);
    children[wallet] = await market.actor(`Child ${wallet}`, wallet);
  }
});
afterAll(() => market?.stop());

const other = (wallet: WalletKind): WalletKind => (wallet === 'EOA' ? 'ERC-1271' : 'EOA');

/** A root node whose hirer has a wallet of this kind. */
const hiredBy = async (wallet: WalletKind, task?: Record<string, unknown>): Promise<Offer> =>
  scenario.funded(buyers[wallet], workers[other(wallet)], {}, task && (await scenario.task(buyers[wallet], task)));
/** A root node whose worker has a wallet of this kind. */
const workedBy = async (wallet: WalletKind, task?: Record<string, unknown>): Promise<Offer> =>
  hiredBy(other(wallet), task);
/** A child node whose hirer, the root's worker, has a wallet of this kind. */
const childHiredBy = async (wallet: WalletKind, task?: Record<string, unknown>): Promise<Offer> =>
  scenario.child(await workedBy(wallet, task), children[other(wallet)]);

describe.each(EVERY)('deliver, by a wallet that is %s, %s', (wallet, way) => {
  it('delivers what was uploaded, for the root and for a child', async () => {
    const root = await workedBy(wallet);
    const child = await scenario.child(root, children[wallet]);
    for (const offer of [child, root]) {
      const hash = await scenario.deliver(offer, `Work of ${offer.terms.nodeId} ${offer.task.id}`, way);
      expect(await scenario.node(offer)).toMatchObject({ state: 'delivered', artifact_hash: hash });
    }
    expect(await scenario.status(root.payer, root.task)).toBe('delivered');
    const { data } = await root.payer.client.read(`/v1/deliveries?task_id=${root.task.id}`);
    expect(data.map(({ status }: any) => status)).toEqual(['available', 'available']);
  });
});

describe.each(EVERY)('resolve_task, by a wallet that is %s, %s', (wallet, way) => {
  it('accepts the task: its node is released and the work is open to the buyer', async () => {
    const root = await hiredBy(wallet);
    const { payer } = root;
    const hash = await scenario.deliver(root);
    await market.perform(payer, payer.intents.resolve(root, hash), way);
    expect(await scenario.node(root)).toMatchObject({ state: 'released', outcome: 'accepted' });
    expect(await scenario.status(payer, root.task)).toBe('resolved');
    const [delivery] = (await payer.client.read(`/v1/deliveries?task_id=${root.task.id}`)).data;
    const { url } = await payer.client.read(`/v1/deliveries/${delivery.id}/artifact`);
    const path = new URL(url).pathname;
    const artifact = await (await fetch(`${market.facts.baseUrl}${path}`)).text();
    expect([delivery.status, sha256(artifact)]).toEqual(['released', hash]);
  });

  it('accepts a child by its hirer, and nothing is released above', async () => {
    const child = await childHiredBy(wallet);
    const { payer } = child;
    const hash = await scenario.deliver(child);
    await market.perform(payer, payer.intents.resolve(child, hash), way);
    expect(await scenario.node(child)).toMatchObject({ state: 'released', outcome: 'accepted' });
    expect(await scenario.status(payer, child.task)).toBe('funded');
  });
});

describe.each(EVERY)('reject_task, by a wallet that is %s, %s', (wallet, way) => {
  it('rejects the task with a reason, and the worker delivers again', async () => {
    const root = await hiredBy(wallet);
    const { payer, worker } = root;
    const first = await scenario.deliver(root, `First try of ${root.task.id}`);
    await market.perform(payer, payer.intents.reject(root, first, 'Page 12 is missing: "naïve" – see §4.'), way);
    expect((await scenario.node(root)).state).toBe('rejected');
    expect(await scenario.status(payer, root.task)).toBe('rejected');
    const [told] = (await worker.client.read(`/v1/deliveries?task_id=${root.task.id}`)).data;
    expect(told).toMatchObject({ status: 'rejected', rejection_reason: 'Page 12 is missing: "naïve" – see §4.' });
    const second = await scenario.deliver(root, `Second try of ${root.task.id}`);
    expect(await scenario.node(root)).toMatchObject({ state: 'delivered', artifact_hash: second });
  });

  it('rejects a child by its hirer, without a reason', async () => {
    const child = await childHiredBy(wallet);
    const hash = await scenario.deliver(child);
    await market.perform(child.payer, child.payer.intents.reject(child, hash), way);
    expect((await scenario.node(child)).state).toBe('rejected');
  });
});

describe.each(EVERY)('dispute_node, by a wallet that is %s, %s', (wallet, way) => {
  it.each([
    ['with evidence', sha256('the evidence')],
    ['without', undefined],
  ])('brings a rejection before the arbiter, %s', async (_, evidence) => {
    const root = await workedBy(wallet, { arbiter });
    const hash = await scenario.deliver(root);
    await market.perform(root.payer, root.payer.intents.reject(root, hash, 'No.'), 'signed');
    await market.perform(root.worker, root.worker.intents.dispute(root, evidence), way);
    expect((await scenario.node(root)).state).toBe('disputed');
    expect(await scenario.status(root.payer, root.task)).toBe('disputed');
  });
});

describe.each(EVERY)('abandon_node, by a wallet that is %s, %s', (wallet, way) => {
  it('gives the money of a child back to the node above, and that of the root back to the buyer', async () => {
    const root = await workedBy(wallet);
    const child = await scenario.child(root, children[wallet]);
    expect((await scenario.node(root)).unallocated.amount).toBe('90.00');
    for (const offer of [child, root]) {
      await market.perform(offer.worker, offer.worker.intents.abandon(offer), way);
      expect(await scenario.node(offer)).toMatchObject({ state: 'refunded', outcome: 'abandoned' });
    }
    expect(await scenario.status(root.payer, root.task)).toBe('refunded');
    expect(await scenario.held(root.payer, root.task)).toBe(100n * USDC);
  });
});

describe.each(EVERY)('claim_non_delivery, by a wallet that is %s, %s', (wallet, way) => {
  it('is for anyone who sees the node, once the time to deliver is over and not before', async () => {
    const root = await hiredBy(wallet);
    const child = await scenario.child(root, children[wallet]);
    const early = await root.payer.client.send(root.payer.intents.claimNonDelivery(root));
    expect([early.status, early.body.error.code]).toEqual([409, 'window_not_open']);
    await market.travel(11 * DAY);
    // The buyer claims the child, whose hirer has not, and the root's worker claims the root, whose hirer, the buyer,
    // has not.
    for (const [who, offer] of [
      [root.payer, child],
      [root.worker, root],
    ] as const) {
      const before = await scenario.balance(who.wallet);
      await market.perform(who, who.intents.claimNonDelivery(offer), way);
      expect(await scenario.node(offer)).toMatchObject({ state: 'refunded', outcome: 'non_delivery' });
      expect(await scenario.balance(who.wallet)).toBe(before);
    }
    expect(await scenario.status(root.payer, root.task)).toBe('refunded');
  });
});

describe('silence', () => {
  it('accepts a delivery: what the service says and what the chain pays agree, and nobody has sent anything', async () => {
    const root = await hiredBy('EOA');
    await scenario.deliver(root);
    await market.travel(4 * DAY);
    expect(await scenario.node(root)).toMatchObject({ effective_state: 'released' });
    const late = await root.payer.client.send(root.payer.intents.reject(root, sha256('x')));
    expect([late.status, late.body.error.code]).toEqual([409, 'window_closed']);
    const { worker } = root;
    await market.perform(worker, worker.intents.withdrawEarnings(root, worker.wallet, 100n * USDC), 'signed');
    expect(await scenario.node(root)).toMatchObject({ state: 'released', outcome: 'accept_window_lapsed' });
    expect(await scenario.held(root.payer, root.task)).toBe(0n);
  });
});
