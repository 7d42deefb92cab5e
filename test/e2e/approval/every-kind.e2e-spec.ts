import type { Browser } from 'playwright-core';
import { approvalMarket, becomeFinal } from '../../support/approval/approval-market.js';
import { ApprovalWindow } from '../../support/approval/approval-window.js';
import { belowTheFold, tooWide } from './first-screen.js';
import { chainWallet } from '../../support/approval/chain-wallet.js';
import type { Actor, IntentsMarket, WalletKind } from '../../support/e2e/intents-market.js';
import { DAY, IntentsScenario, type Offer, USDC } from '../../support/e2e/intents-scenario.js';
import type { Intent } from '../../support/e2e/spec-client.js';
import { sha256 } from '../../support/e2e/spec-client.js';
import { BROWSER_NOTE, describeWithBrowser, launchBrowser } from '../../support/oauth/browser.js';

/** Every kind on the real page, with a wallet in the browser: signed, sent by the wallet itself, mined, final. */
const WALLETS: WalletKind[] = ['EOA', 'ERC-1271'];
/** Kinds that need only a signature and no transaction. */
const SIGNED_ONLY = new Set(['create_task', 'submit_quote', 'select_agent']);

let market: IntentsMarket;
let scenario: IntentsScenario;
let browser: Browser;
let arbiter: Actor;
const actors = {} as Record<WalletKind, Record<'buyer' | 'worker' | 'child', Actor>>;
const windows: ApprovalWindow[] = [];
/** Each test makes several requests, each in its own window. */
jest.setTimeout(400_000);

describeWithBrowser(`every kind of action on the approval page${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    [market, browser] = await Promise.all([approvalMarket(), launchBrowser()]);
    scenario = new IntentsScenario(market);
    arbiter = await market.actor('Arbiter');
    for (const kind of WALLETS) {
      actors[kind] = {
        buyer: await market.actor(`Buyer ${kind}`, kind),
        worker: await market.actor(`Worker ${kind}`, kind),
        child: await market.actor(`Child ${kind}`, kind),
      };
    }
  });

  afterAll(async () => {
    await Promise.all(windows.map((window) => window.close()));
    await browser?.close();
    await market?.stop();
  });

  /** Prepares the action and approves it on its page. @returns the action and its window. */
  async function approve(who: Actor, intent: Intent): Promise<{ action: any; window: ApprovalWindow }> {
    const { action } = await market.ask(who, intent);
    const window = await ApprovalWindow.claim(browser, action, { wallets: [chainWallet(market, who)] });
    windows.push(window);
    await window.connect();
    await window.page.locator('[data-screen=ready], [data-screen=not_previewed]').waitFor();
    expect([intent.kind, await belowTheFold(window.page), await tooWide(window.page)]).toEqual([intent.kind, [], []]);
    await window.sign();
    if (SIGNED_ONLY.has(intent.kind)) {
      await window.becomes('signed');
      await market.comesToBe(who, action.action_id, 'signed');
    } else {
      await window.send();
      await window.becomes('confirmed');
      await market.comesToBe(who, action.action_id, 'confirmed');
    }
    expect([intent.kind, window.window.wrongs]).toEqual([intent.kind, []]);
    return { action, window };
  }

  const stateOf = async (offer: Offer): Promise<string> => (await scenario.node(offer)).state;
  const root = (wallet: WalletKind, own?: Record<string, unknown>): Promise<Offer> => {
    const { buyer, worker } = actors[wallet];
    return own
      ? scenario.task(buyer, own).then((task) => scenario.funded(buyer, worker, {}, task))
      : scenario.funded(buyer, worker);
  };

  describe.each(WALLETS)('by a wallet that is %s', (wallet) => {
    const { buyer, worker, child }: Record<'buyer' | 'worker' | 'child', () => Actor> = {
      buyer: () => actors[wallet].buyer,
      worker: () => actors[wallet].worker,
      child: () => actors[wallet].child,
    };

    it('create_task, submit_quote, select_agent and fund_task make a funded job', async () => {
      const creation = buyer().intents.createTask(scenario.taskBody());
      const { action } = await approve(buyer(), creation);
      const { task } = creation.about(action);
      expect(await scenario.status(buyer(), task)).toBe('open');
      const times = { workSeconds: 10 * DAY, validUntil: market.nowSeconds + 2 * DAY };
      const quote = worker().intents.submitQuote({ task, price: 100n * USDC, ...times });
      const { action: quoted } = await approve(worker(), quote);
      const { terms } = quote.about(quoted).own as { terms: Offer['terms'] };
      const { agentId } = worker().client.self;
      const record = { task, agentId, hirer: buyer().wallet, terms, validUntil: times.validUntil };
      await approve(buyer(), buyer().intents.selectAgent(record));
      const before = await scenario.balance(buyer().wallet);
      await approve(buyer(), buyer().intents.fundTask(record, await scenario.paying(buyer(), 'authorization')));
      expect(before - (await scenario.balance(buyer().wallet))).toBe(100n * USDC);
      expect(await scenario.status(buyer(), task)).toBe('funded');
    });

    it.each(['permit', 'allowance'] as const)('fund_task also by %s', async (mode) => {
      const offer = await scenario.offer(buyer(), worker(), await scenario.task(buyer()));
      // The tree must exist first, because the factory cannot forward a call that the wallet itself must send.
      await scenario.deploy(offer.task);
      await market.sign(buyer(), buyer().intents.selectAgent(offer));
      if (mode === 'allowance') await scenario.approve(buyer(), buyer().client.escrowOf(offer.task), 100n * USDC);
      await approve(buyer(), buyer().intents.fundTask(offer, await scenario.paying(buyer(), mode)));
      expect(await stateOf(offer)).toBe('funded');
    });

    it('subcontract, deliver, resolve_task and withdraw_earnings pay a child and its hirer', async () => {
      const top = await root(wallet);
      const offer = await scenario.offer(worker(), child(), top.task, { parent: top, price: 10n * USDC });
      await approve(worker(), worker().intents.subcontract(offer, offer.quoteId));
      for (const node of [offer, top]) {
        const artifact = await node.worker.client.upload(`The work for ${node.terms.nodeId} by ${wallet}`);
        await approve(node.worker, node.worker.intents.deliver(node, artifact, false));
        await approve(node.payer, node.payer.intents.resolve(node, artifact.artifact_hash));
        expect(await stateOf(node)).toBe('released');
      }
      const before = await scenario.balance(worker().wallet);
      await approve(worker(), worker().intents.withdrawEarnings(top, worker().wallet, 90n * USDC));
      expect((await scenario.balance(worker().wallet)) - before).toBe(90n * USDC);
    });

    it('reject_task and dispute_node bring a rejection before the arbiter', async () => {
      const top = await root(wallet, { arbiter: arbiter.wallet });
      const hash = await scenario.deliver(top);
      await approve(buyer(), buyer().intents.reject(top, hash, 'Page 12 is missing.'));
      expect(await stateOf(top)).toBe('rejected');
      await approve(worker(), worker().intents.dispute(top, sha256('the evidence')));
      expect(await stateOf(top)).toBe('disputed');
    });

    it('abandon_node and withdraw_refund give the money back', async () => {
      const top = await root(wallet);
      await approve(worker(), worker().intents.abandon(top));
      expect(await stateOf(top)).toBe('refunded');
      const before = await scenario.balance(buyer().wallet);
      await approve(buyer(), buyer().intents.withdrawRefund(top.task, buyer().wallet, 100n * USDC));
      expect((await scenario.balance(buyer().wallet)) - before).toBe(100n * USDC);
    });
  });

  it('is shown as final once enough blocks lie above it, in the windows in which it was signed', async () => {
    await becomeFinal(market);
    const sent: ApprovalWindow[] = [];
    for (const window of windows) {
      // An open page follows its action by itself, so its window may already have moved on.
      if (['confirmed', 'final'].includes(await window.screen())) sent.push(window);
    }
    expect(sent.length).toBeGreaterThan(15);
    for (const window of sent) {
      await window.page.reload();
      await window.becomes('final');
      expect(window.window.wrongs).toEqual([]);
    }
  });

  it.each(WALLETS)(
    'claim_non_delivery takes the money back when the time is over, though the chain is ahead: %s',
    async (wallet) => {
      const top = await root(wallet);
      await market.travel(11 * DAY);
      await approve(top.payer, top.payer.intents.claimNonDelivery(top));
      expect(await stateOf(top)).toBe('refunded');
    },
  );
});
