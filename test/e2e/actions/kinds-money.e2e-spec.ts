import { type Actor, IntentsMarket, type WalletKind, type Way } from '../../support/e2e/intents-market.js';
import { DAY, IntentsScenario, type Offer, USDC } from '../../support/e2e/intents-scenario.js';
import { nodeIdOf } from '../../support/e2e/spec-client.js';

/** Every kind that takes money out, over HTTP and with every kind of wallet, until the escrow is empty. */
const WALLETS: WalletKind[] = ['EOA', 'ERC-1271'];
const EVERY = WALLETS.flatMap((wallet): [WalletKind, Way][] => [
  [wallet, 'signed'],
  [wallet, 'direct'],
]);

let market: IntentsMarket;
let scenario: IntentsScenario;
const buyers = {} as Record<WalletKind, Actor>;
const workers = {} as Record<WalletKind, Actor>;
const children = {} as Record<WalletKind, Actor>;

beforeAll(async () => {
  market = await IntentsMarket.start();
  scenario = new IntentsScenario(market);
  for (const wallet of WALLETS) {
    buyers[wallet] = await market.actor(`Buyer ${wallet}`, wallet);
    workers[wallet] = await market.actor(`Worker ${wallet}`, wallet);
    children[wallet] = await market.actor(`Child ${wallet}`, wallet);
  }
});
afterAll(() => market?.stop());

const other = (wallet: WalletKind): WalletKind => (wallet === 'EOA' ? 'ERC-1271' : 'EOA');
const somewhere = (): string => `0x${Math.random().toString(16).slice(2, 10).padStart(40, 'e')}`;

describe.each(EVERY)('withdraw_earnings, by a wallet that is %s, %s', (wallet, way) => {
  it('pays a child and the root their own shares, to the wallet or to any other address', async () => {
    const root = await scenario.funded(buyers[other(wallet)], workers[wallet]);
    const child = await scenario.child(root, children[wallet], { price: 30_500_001n });
    await scenario.accepted(child);
    // The child is settled but the node above it is not, so its earnings must wait.
    const waiting = child.worker.intents.withdrawEarnings(child, child.worker.wallet, 30_500_001n);
    const early = await child.worker.client.send(waiting);
    expect([early.status, early.body.error.code]).toEqual([409, 'state_conflict']);
    await scenario.accepted(root);
    const before = await scenario.balance(child.worker.wallet);
    await market.perform(child.worker, waiting, way);
    expect((await scenario.balance(child.worker.wallet)) - before).toBe(30_500_001n);
    const elsewhere = somewhere();
    const { worker } = root;
    await market.perform(worker, worker.intents.withdrawEarnings(root, elsewhere, 69_499_999n), way);
    expect(await scenario.balance(elsewhere)).toBe(69_499_999n);
    expect(await scenario.held(root.payer, root.task)).toBe(0n);
    const again = await worker.client.send(worker.intents.withdrawEarnings(root, elsewhere, 69_499_999n));
    expect([again.status, again.body.error.code]).toEqual([409, 'state_conflict']);
  });
});

describe.each(WALLETS)('a worker that asks to be paid at once, with a wallet that is %s', (wallet) => {
  it('has the money in that wallet by the acceptance, and nothing is left to withdraw', async () => {
    const root = await scenario.funded(buyers[other(wallet)], workers[wallet]);
    const { payer, worker } = root;
    const hash = await scenario.deliver(root, 'All of it', 'signed', true);
    expect(await scenario.node(root)).toMatchObject({ pay_out: true });
    const before = await scenario.balance(worker.wallet);
    await market.perform(payer, payer.intents.resolve(root, hash), 'signed');
    expect((await scenario.balance(worker.wallet)) - before).toBe(100n * USDC);
    expect(await scenario.held(payer, root.task)).toBe(0n);
    const again = await worker.client.send(worker.intents.withdrawEarnings(root, worker.wallet, 100n * USDC));
    expect([again.status, again.body.error.code]).toEqual([409, 'state_conflict']);
    const shown = await worker.client.read('/v1/earnings');
    expect(shown).toMatchObject({ pending: '0.00', claimable: '0.00' });
  });
});

describe.each(EVERY)('withdraw_refund, by a wallet that is %s, %s', (wallet, way) => {
  it('gives back what an abandoned node did not earn', async () => {
    const root = await scenario.funded(buyers[wallet], workers[other(wallet)]);
    const { payer, worker } = root;
    const intent = payer.intents.withdrawRefund(root.task, payer.wallet, 100n * USDC);
    const early = await payer.client.send(intent);
    expect([early.status, early.body.error.code]).toEqual([409, 'state_conflict']);
    await market.perform(worker, worker.intents.abandon(root), 'signed');
    const before = await scenario.balance(payer.wallet);
    await market.perform(payer, intent, way);
    expect((await scenario.balance(payer.wallet)) - before).toBe(100n * USDC);
    expect(await scenario.held(payer, root.task)).toBe(0n);
  });

  it('includes a rejection that only time has made final, and writes that down first', async () => {
    const root = await scenario.funded(buyers[wallet], workers[other(wallet)]);
    const { payer } = root;
    const hash = await scenario.deliver(root);
    await market.perform(payer, payer.intents.reject(root, hash, 'No.'), 'signed');
    await market.travel(11 * DAY);
    const elsewhere = somewhere();
    await market.perform(payer, payer.intents.withdrawRefund(root.task, elsewhere, 100n * USDC), way);
    expect(await scenario.balance(elsewhere)).toBe(100n * USDC);
    expect(await scenario.node(root)).toMatchObject({ state: 'refunded', outcome: 'rejection_final' });
    expect(await scenario.held(payer, root.task)).toBe(0n);
  });

  it('gives a worker back what it had paid for a node under its own', async () => {
    const root = await scenario.funded(buyers[other(wallet)], workers[wallet]);
    const child = await scenario.child(root, children[wallet], { price: 20n * USDC, hirerFunded: true });
    await market.perform(child.worker, child.worker.intents.abandon(child), 'signed');
    const hirer = root.worker;
    const before = await scenario.balance(hirer.wallet);
    await market.perform(hirer, hirer.intents.withdrawRefund(root.task, hirer.wallet, 20n * USDC), way);
    expect((await scenario.balance(hirer.wallet)) - before).toBe(20n * USDC);
    expect(await scenario.held(root.payer, root.task)).toBe(100n * USDC);
  });
});

describe('withdrawing twice', () => {
  it.each(WALLETS)('goes on as soon as the first withdrawal is indexed, also by hash alone: %s', async (wallet) => {
    const root = await scenario.funded(buyers[other(wallet)], workers[wallet]);
    const worker = children[other(wallet)];
    const nodes: Offer[] = [];
    for (const price of [10n * USDC, 15n * USDC]) nodes.push(await scenario.child(root, worker, { price }));
    for (const node of nodes) await scenario.accepted(node);
    await scenario.accepted(root);
    // Names only the task: the service chooses the node that holds most, then the other one.
    for (const node of nodes.toReversed()) {
      const { amount } = node.terms;
      const intent = worker.intents.withdrawEarnings(node, worker.wallet, amount);
      const body = { destination: worker.wallet, task_id: root.task.id };
      await market.perform(worker, { ...intent, body }, 'direct');
    }
    const shown = await worker.client.read('/v1/earnings');
    expect(shown).toMatchObject({ claimable: '0.00', currency: 'USDC' });
    expect(await scenario.held(root.payer, root.task)).toBe(75n * USDC);
  });
});

describe('a tree of three levels', () => {
  it('ends with an empty escrow, and receipts for all of it', async () => {
    const { EOA: buyer } = buyers;
    const root = await scenario.funded(buyer, workers['ERC-1271'], { price: 200n * USDC });
    const middle = await scenario.child(root, children.EOA, { price: 80n * USDC });
    const low = await scenario.child(middle, workers.EOA, { price: 30n * USDC });
    for (const node of [low, middle, root]) await scenario.accepted(node);
    const shares = [30n, 50n, 120n].map((whole) => whole * USDC);
    for (const [index, node] of [low, middle, root].entries()) {
      const { worker } = node;
      await market.perform(worker, worker.intents.withdrawEarnings(node, worker.wallet, shares[index]!), 'signed');
    }
    expect(await scenario.held(buyer, root.task)).toBe(0n);
    const { data } = await buyer.client.read(`/v1/receipts?task_id=${root.task.id}`);
    // All three receipts become final in the block that accepted the root. Each shows what went to the node's worker,
    // who in turn pays the nodes below.
    const released = Object.fromEntries(data.map(({ node_id, amount }: any) => [node_id, amount.amount]));
    expect(released).toEqual({
      [nodeIdOf(root.task, root.terms.nodeId)]: '200.00',
      [nodeIdOf(root.task, middle.terms.nodeId)]: '80.00',
      [nodeIdOf(root.task, low.terms.nodeId)]: '30.00',
    });
  });
});
