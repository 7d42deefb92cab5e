import { getAddress } from 'ethers';
import { type Actor, IntentsMarket, type WalletKind, type Way } from '../../support/e2e/intents-market.js';
import { DAY, IntentsScenario, type Offer, USDC } from '../../support/e2e/intents-scenario.js';
import type { FundingMode } from '../../support/e2e/spec-intents.js';

/**
 * Every kind that makes a node, over HTTP and with every kind of wallet, checked by a client that knows only
 * docs/decisions.
 */
const WALLETS: WalletKind[] = ['EOA', 'ERC-1271'];
const WAYS: Way[] = ['signed', 'direct'];
const EVERY = WALLETS.flatMap((wallet) => WAYS.map((way): [WalletKind, Way] => [wallet, way]));

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

/** The wallet of the other party is of the other kind, so that both kinds take part in every case. */
const other = (wallet: WalletKind): WalletKind => (wallet === 'EOA' ? 'ERC-1271' : 'EOA');

describe.each(WALLETS)('create_task, by a wallet that is %s', (wallet) => {
  it('opens the task by the signature alone, and there is nothing to send', async () => {
    const buyer = buyers[wallet];
    const intent = buyer.intents.createTask(
      scenario.taskBody({ arbiter: market.relayer, accept_window_seconds: 172_800 }),
    );
    const { action, transaction } = await market.sign(buyer, intent);
    const { transaction: direct, calls } = action.payload;
    expect([transaction, direct, calls]).toEqual([undefined, undefined, undefined]);
    const { task } = intent.about(action);
    const { termsHash: terms_hash, arbiter } = task;
    const shown = await buyer.client.read(`/v1/tasks/${task.id}`);
    expect(shown).toMatchObject({ status: 'open', terms_hash, arbiter, escrow_address: action.escrow_address });
  });
});

describe.each(WALLETS)('submit_quote, by a wallet that is %s', (wallet) => {
  it('is shown to the payer once it is signed, and needs no transaction', async () => {
    const buyer = buyers[other(wallet)];
    const offer = await scenario.offer(buyer, workers[wallet], await scenario.task(buyer));
    const { data } = await buyer.client.read(`/v1/quotes?task_id=${offer.task.id}`);
    expect(data).toEqual([
      expect.objectContaining({
        id: offer.quoteId,
        status: 'submitted',
        agent_id: offer.agentId,
        price: { amount: '100.00', currency: 'USDC' },
        floor: { amount: '50.00', currency: 'USDC' },
        work_seconds: 10 * DAY,
        max_revisions: 3,
      }),
    ]);
  });

  it('has the terms that the worker names', async () => {
    const buyer = buyers[other(wallet)];
    const terms = { floor: 0n, workSeconds: DAY, maxRevisions: 0 };
    const offer = await scenario.offer(buyer, workers[wallet], await scenario.task(buyer), terms);
    const [shown] = (await buyer.client.read(`/v1/quotes?task_id=${offer.task.id}`)).data;
    expect(shown).toMatchObject({
      floor: { amount: '0.00', currency: 'USDC' },
      work_seconds: DAY,
      max_revisions: 0,
      // The latest that it can be: paid for in the last second of the quote.
      deadline: new Date((offer.validUntil + DAY) * 1000).toISOString(),
    });
  });

  it('is not a quote before it is signed', async () => {
    const buyer = buyers[other(wallet)];
    const worker = workers[wallet];
    const task = await scenario.task(buyer);
    const now = market.nowSeconds;
    const offering = { task, price: 5n * USDC, workSeconds: 9 * DAY, validUntil: now + 2 * DAY };
    await market.ask(worker, worker.intents.submitQuote(offering));
    expect((await buyer.client.read(`/v1/quotes?task_id=${task.id}`)).data).toEqual([]);
    const [own] = (await worker.client.read(`/v1/quotes?task_id=${task.id}`)).data;
    expect(own.status).toBe('pending_signature');
  });
});

describe.each(WALLETS)('select_agent, by a wallet that is %s', (wallet) => {
  it('selects by the signature alone, and there is nothing to send', async () => {
    const buyer = buyers[wallet];
    const offer = await scenario.offer(buyer, workers[other(wallet)], await scenario.task(buyer));
    const { action, transaction } = await market.sign(buyer, buyer.intents.selectAgent(offer));
    const { transaction: direct, calls } = action.payload;
    expect([transaction, direct, calls]).toEqual([undefined, undefined, undefined]);
    const shown = await buyer.client.read(`/v1/tasks/${offer.task.id}`);
    expect(shown).toMatchObject({ status: 'selected', selected_agent_id: offer.agentId });
  });
});

describe.each(WALLETS)('fund_task, by a wallet that is %s', (wallet) => {
  const expectFunded = async (offer: Offer, balanceBefore: bigint, paid = offer.terms.amount): Promise<void> => {
    const { payer, task } = offer;
    expect(await scenario.status(payer, task)).toBe('funded');
    expect(await scenario.node(offer)).toMatchObject({
      state: 'funded',
      amount: { amount: '100.00', currency: 'USDC' },
      unallocated: { amount: '100.00', currency: 'USDC' },
      backing: 'hirer_funded',
    });
    expect(await scenario.held(payer, task)).toBe(offer.terms.amount);
    expect(balanceBefore - (await scenario.balance(payer.wallet))).toBe(paid);
  };
  const selected = () => scenario.selected(buyers[wallet], workers[other(wallet)]);

  it('by authorization: one relayed transaction makes the tree, takes up the quote and pays', async () => {
    const offer = await selected();
    const before = await scenario.balance(offer.payer.wallet);
    const { hash } = await scenario.fund(offer, 'authorization', 'signed');
    await expectFunded(offer, before);
    const { logs } = await market.stack.chain.anvil.rpc<any>('eth_getTransactionReceipt', hash);
    const addresses = new Set<string>(logs.map(({ address }: { address: string }) => getAddress(address)));
    expect(addresses).toEqual(
      new Set([market.facts.factory, market.facts.token, offer.payer.client.escrowOf(offer.task)]),
    );
  });

  it('by allowance, relayed after the wallet has approved', async () => {
    const offer = await selected();
    const before = await scenario.balance(offer.payer.wallet);
    await scenario.approve(offer.payer, offer.payer.client.escrowOf(offer.task), offer.terms.amount);
    await scenario.fund(offer, 'allowance', 'signed');
    await expectFunded(offer, before);
  });

  it('by allowance, all sent by the wallet itself', async () => {
    const offer = await selected();
    const before = await scenario.balance(offer.payer.wallet);
    await scenario.fund(offer, 'allowance', 'direct');
    await expectFunded(offer, before);
  });

  it('by permit: the wallet sends what its own signature has made', async () => {
    const offer = await selected();
    const before = await scenario.balance(offer.payer.wallet);
    const { payer } = offer;
    // The tree must exist first, because the factory cannot forward a call that the wallet itself must send.
    const early = await payer.client.send(payer.intents.fundTask(offer, await scenario.paying(payer, 'permit')));
    expect([early.status, early.body.error.code]).toEqual([409, 'state_conflict']);
    await scenario.deploy(offer.task);
    await scenario.fund(offer, 'permit', 'signed');
    await expectFunded(offer, before);
  });

  it.each(WAYS)('by the refund balance of the tree, %s: a second agent is paid with what came back', async (way) => {
    const first = await scenario.funded(buyers[wallet], workers[other(wallet)]);
    await market.perform(first.worker, first.worker.intents.abandon(first), 'signed');
    const before = await scenario.balance(first.payer.wallet);
    const second = await scenario.selected(first.payer, children[wallet], first.task);
    await scenario.fund(second, 'refund_balance', way);
    await expectFunded(second, before, 0n);
  });

  it('without a named mode takes the one that fits the wallet', async () => {
    const offer = await selected();
    const { payer } = offer;
    const fitting: FundingMode = wallet === 'EOA' ? 'authorization' : 'allowance';
    const { body: _none, ...intent } = payer.intents.fundTask(offer, { mode: fitting });
    await market.perform(payer, intent, wallet === 'EOA' ? 'signed' : 'direct');
    expect(await scenario.status(payer, offer.task)).toBe('funded');
  });
});

describe.each(EVERY)('subcontract, by a wallet that is %s, %s', (wallet, way) => {
  it("out of the parent's money: nothing leaves the escrow, and the child is contingent", async () => {
    const root = await scenario.funded(buyers[other(wallet)], workers[wallet]);
    const hirer = root.worker;
    const offer = await scenario.offer(hirer, children[other(wallet)], root.task, { parent: root, price: 40n * USDC });
    const before = await scenario.balance(hirer.wallet);
    await market.perform(hirer, hirer.intents.subcontract(offer, offer.quoteId), way);
    expect(await scenario.node(offer)).toMatchObject({ state: 'funded', backing: 'contingent' });
    expect((await scenario.node(root)).unallocated.amount).toBe('60.00');
    expect([await scenario.held(root.payer, root.task), await scenario.balance(hirer.wallet)]).toEqual([
      100n * USDC,
      before,
    ]);
  });

  it("out of the hirer's wallet: the child does not depend on the nodes above", async () => {
    const root = await scenario.funded(buyers[other(wallet)], workers[wallet]);
    const hirer = root.worker;
    const own = { parent: root, price: 40n * USDC, hirerFunded: true };
    const offer = await scenario.offer(hirer, children[other(wallet)], root.task, own);
    const before = await scenario.balance(hirer.wallet);
    const paying = await scenario.paying(hirer, way === 'signed' ? 'authorization' : 'allowance');
    await market.perform(hirer, hirer.intents.subcontract(offer, offer.quoteId, paying), way);
    expect(await scenario.node(offer)).toMatchObject({ state: 'funded', backing: 'hirer_funded' });
    expect((await scenario.node(root)).unallocated.amount).toBe('100.00');
    expect(before - (await scenario.balance(hirer.wallet))).toBe(40n * USDC);
    expect(await scenario.held(root.payer, root.task)).toBe(140n * USDC);
  });
});

describe('hiring twice under one node', () => {
  it.each(WALLETS)('goes on as soon as the first hire is indexed, also by hash alone: %s', async (wallet) => {
    const root = await scenario.funded(buyers[other(wallet)], workers[wallet], { floor: 60n * USDC });
    const hirer = root.worker;
    for (const worker of [children.EOA, children['ERC-1271']]) {
      const offer = await scenario.offer(hirer, worker, root.task, { parent: root, price: 30n * USDC });
      // `direct` hands in only the transaction's hash, which must not block the second hire.
      await market.perform(hirer, hirer.intents.subcontract(offer, offer.quoteId), 'direct');
    }
    expect((await scenario.node(root)).unallocated.amount).toBe('40.00');
  });
});
