import type { Browser } from 'playwright-core';
import { approvalMarket } from '../../support/approval/approval-market.js';
import { ApprovalWindow } from '../../support/approval/approval-window.js';
import { chainWallet } from '../../support/approval/chain-wallet.js';
import type { Actor, IntentsMarket } from '../../support/e2e/intents-market.js';
import { DAY, IntentsScenario, type Offer, USDC } from '../../support/e2e/intents-scenario.js';
import type { Intent } from '../../support/e2e/spec-client.js';
import { sha256 } from '../../support/e2e/spec-client.js';
import { BROWSER_NOTE, describeWithBrowser, launchBrowser } from '../../support/oauth/browser.js';

/**
 * Whoever reloads the page, opens it in a second tab or goes back to it, at any step, is offered the right next step.
 * This table has the sentence of the kinds that need no transaction.
 */
const SIGNED_ONLY: Readonly<Record<string, RegExp>> = {
  create_task: /This publishes your task\. No transaction, no fee\./,
  submit_quote: /This is an offer\. No transaction, no fee\./,
  select_agent: /This chooses the agent\. No transaction, no fee\./,
};
const HASH = `0x${'ab'.repeat(32)}`;

let market: IntentsMarket;
let scenario: IntentsScenario;
let browser: Browser;
let buyer: Actor;
let worker: Actor;
let child: Actor;
let arbiter: Actor;
const windows: ApprovalWindow[] = [];
jest.setTimeout(580_000);

describeWithBrowser(`a request that is opened again${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    [market, browser] = await Promise.all([approvalMarket(), launchBrowser()]);
    scenario = new IntentsScenario(market);
    buyer = await market.actor('Buyer');
    worker = await market.actor('Worker');
    child = await market.actor('Child');
    arbiter = await market.actor('Arbiter');
  });

  afterEach(async () => {
    await Promise.all(windows.splice(0).map((window) => window.close()));
  });

  afterAll(async () => {
    await browser?.close();
    await market?.stop();
  });

  /**
   * Opens the page again in three ways: a second tab, going back, and reloading. Each time follows the page up to the
   * expected screen.
   */
  async function everyWay(window: ApprovalWindow, url: string, screen: string, afterwards: string | null) {
    const arrives = async (at: ApprovalWindow): Promise<void> => {
      await at.becomes(screen);
      if (afterwards === null) return;
      await at.connect();
      await at.becomes(afterwards);
    };
    const second = await window.secondTab(url);
    await arrives(second);
    await second.page.close();
    await window.page.goto(new URL('/.well-known/tasktree-configuration', url).href);
    await window.page.goBack();
    await arrives(window);
    await window.page.reload();
    await arrives(window);
  }

  /** Approves the action on its page, and opens the page again at every step. */
  async function through(who: Actor, intent: Intent): Promise<any> {
    const { action } = await market.ask(who, intent);
    const window = await ApprovalWindow.claim(browser, action, { wallets: [chainWallet(market, who)] });
    windows.push(window);
    const url: string = action.signing_url;
    const sentence = SIGNED_ONLY[intent.kind];
    await everyWay(window, url, 'choose_wallet', 'ready');
    const before = (await window.page.textContent('main')) ?? '';
    if (sentence === undefined) expect(before).toContain('Two steps follow in your wallet');
    else
      expect([before, /Network fee|could not be previewed/i.test(before)]).toEqual([
        expect.stringMatching(sentence),
        false,
      ]);
    await window.sign();
    if (sentence !== undefined) {
      await window.becomes('signed');
      await everyWay(window, url, 'already_signed', null);
      return action;
    }
    await window.becomes('send_ready');
    await everyWay(window, url, 'choose_wallet', 'send_ready');
    await window.send();
    await window.becomes('confirmed');
    await market.comesToBe(who, action.action_id, 'confirmed');
    await everyWay(window, url, 'confirmed', null);
    expect([intent.kind, window.window.wrongs]).toEqual([intent.kind, []]);
    return action;
  }

  const root = async (own: Record<string, unknown> = {}): Promise<Offer> =>
    scenario.funded(buyer, worker, {}, await scenario.task(buyer, own));

  it('create_task, submit_quote and select_agent are signed, and nothing is left to send', async () => {
    const creation = buyer.intents.createTask(scenario.taskBody());
    const { task } = creation.about(await through(buyer, creation));
    const times = { workSeconds: 10 * DAY, validUntil: market.nowSeconds + 2 * DAY };
    const quote = worker.intents.submitQuote({ task, price: 100n * USDC, ...times });
    const { terms } = quote.about(await through(worker, quote)).own as { terms: Offer['terms'] };
    const { agentId } = worker.client.self;
    const record = { task, agentId, hirer: buyer.wallet, terms, validUntil: times.validUntil };
    await through(buyer, buyer.intents.selectAgent(record));
  });

  it.each(['authorization', 'permit', 'allowance', 'refund_balance'] as const)('fund_task by %s', async (mode) => {
    let task = await scenario.task(buyer);
    if (mode === 'refund_balance') {
      const past = await scenario.funded(buyer, worker, {}, task);
      await market.perform(worker, worker.intents.abandon(past), 'signed');
      task = past.task;
    }
    const offer = await scenario.offer(buyer, worker, task);
    await market.sign(buyer, buyer.intents.selectAgent(offer));
    if (mode === 'permit' || mode === 'allowance') await scenario.deploy(task);
    if (mode === 'allowance') await scenario.approve(buyer, buyer.client.escrowOf(task), 100n * USDC);
    await through(buyer, buyer.intents.fundTask(offer, await scenario.paying(buyer, mode)));
    expect((await scenario.node(offer)).state).toBe('funded');
  });

  it('subcontract, deliver, resolve_task and withdraw_earnings', async () => {
    const top = await root();
    const offer = await scenario.offer(worker, child, top.task, { parent: top, price: 10n * USDC });
    await through(worker, worker.intents.subcontract(offer, offer.quoteId));
    const artifact = await child.client.upload('The work of the child');
    await through(child, child.intents.deliver(offer, artifact));
    await through(worker, worker.intents.resolve(offer, artifact.artifact_hash));
    await scenario.accepted(top);
    await through(worker, worker.intents.withdrawEarnings(top, worker.wallet, 90n * USDC));
  });

  it('reject_task and dispute_node', async () => {
    const top = await root({ arbiter: arbiter.wallet });
    const hash = await scenario.deliver(top);
    await through(buyer, buyer.intents.reject(top, hash, 'Page 12 is missing.'));
    await through(worker, worker.intents.dispute(top, sha256('the evidence')));
  });

  it('abandon_node and withdraw_refund', async () => {
    const top = await root();
    await through(worker, worker.intents.abandon(top));
    await through(buyer, buyer.intents.withdrawRefund(top.task, buyer.wallet, 100n * USDC));
  });

  it('shows in the tab that waits what another tab has signed and sent', async () => {
    const top = await root();
    const { action } = await market.ask(worker, worker.intents.abandon(top));
    const first = await ApprovalWindow.claim(browser, action, { wallets: [chainWallet(market, worker)] });
    windows.push(first);
    await first.connect();
    await first.page.locator('[data-screen=ready]').waitFor();
    const second = await first.secondTab(action.signing_url);
    await second.connect();
    await second.sign();
    await first.becomes('send_ready');
    await second.send();
    await second.becomes('confirmed');
    await first.becomes('confirmed');
    expect(first.window.wrongs).toEqual([]);
  });

  it('shows a transaction that nobody has seen as a hint, beside the button', async () => {
    const top = await root();
    const { action } = await market.ask(worker, worker.intents.abandon(top));
    const told = await worker.client.handIn('worker', action.action_id, { transaction_hash: HASH });
    expect([told.status, told.body.status]).toEqual([200, 'unknown']);
    const window = await ApprovalWindow.claim(browser, action, { wallets: [chainWallet(market, worker)] });
    windows.push(window);
    await window.connect();
    await window.becomes('ready');
    expect(await window.page.locator('.hint').textContent()).toContain('the network does not show it');
    await window.sign();
    await window.send();
    await window.becomes('confirmed');
    expect(await window.page.locator('.hint').count()).toBe(0);
  });

  // Must be the last test, because the clock of the market does not go back.
  it('claim_non_delivery', async () => {
    const top = await root();
    await market.travel(11 * DAY);
    await through(buyer, buyer.intents.claimNonDelivery(top));
  });
});
