import type { Browser, Page } from 'playwright-core';
import { approvalMarket } from '../../support/approval/approval-market.js';
import { ApprovalWindow } from '../../support/approval/approval-window.js';
import { chainWallet } from '../../support/approval/chain-wallet.js';
import { changeAnswer, changePage, lookAlike } from '../../support/approval/hostile-service.js';
import { ABANDONMENT_LIES, CALL_LIES, FUNDING_LIES } from '../../support/approval/service-lies.js';
import type { Actor, IntentsMarket } from '../../support/e2e/intents-market.js';
import { IntentsScenario, type Offer } from '../../support/e2e/intents-scenario.js';
import { BROWSER_NOTE, describeWithBrowser, launchBrowser } from '../../support/oauth/browser.js';
import type { InjectedWallet } from '../../support/oauth/injected-wallets.js';

/** A service that lies to the page: each lie is refused by the check for it, and the wallet is asked nothing. */
let market: IntentsMarket;
let scenario: IntentsScenario;
let browser: Browser;
let buyer: Actor;
let worker: Actor;
let funding: any;
let abandonment: any;
let job: Offer;
const open: ApprovalWindow[] = [];

const TITLES: Record<string, string> = {
  kind: 'It is the kind of action that the app asked for',
  principal: 'It is for your account',
  wallet: 'It is for the wallet that signs',
  target: 'It is for the right task and job',
  chain: 'It is for the right network',
  contract: 'Only the escrow and its token can use it',
  escrow: 'The escrow is this market’s own, for this task',
  schema: 'The data has exactly the known form',
  binding: 'The data belongs to this request',
  request: 'The request is the one that was sent',
  expiry: 'It has not expired, and does not last too long',
  members: 'Amounts, addresses and times are as asked for',
  signing_url: 'This page is the market’s own',
  digest: 'The digest to sign is the one shown',
};

describeWithBrowser(`a hostile service${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    [market, browser] = await Promise.all([approvalMarket(), launchBrowser()]);
    scenario = new IntentsScenario(market);
    [buyer, worker] = [await market.actor('Buyer'), await market.actor('Worker')];
  });

  beforeEach(async () => {
    // Only one browser can claim a request, so every lie needs a new request.
    const offer = await scenario.selected(buyer, worker);
    const intent = buyer.intents.fundTask(offer, await scenario.paying(buyer, 'authorization'));
    ({ action: funding } = await market.ask(buyer, intent));
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((window) => window.close()));
  });

  afterAll(async () => {
    await browser?.close();
    await market?.stop();
  });

  /**
   * Opens the action's page with the lie in place.
   * @returns its window, and the wallet, which records what it is asked.
   */
  async function meet(
    who: Actor,
    action: any,
    before: (page: Page) => Promise<unknown>,
  ): Promise<{ window: ApprovalWindow; wallet: InjectedWallet }> {
    const wallet = chainWallet(market, who);
    const window = await ApprovalWindow.claim(browser, action, { wallets: [wallet], before });
    open.push(window);
    return { window, wallet };
  }

  async function expectRefused(window: ApprovalWindow, wallet: InjectedWallet, check: string): Promise<void> {
    await window.refuses();
    expect((await window.failedChecks()).join('\n')).toContain(TITLES[check]);
    expect(await window.button(/sign|send/i).count()).toBe(0);
    expect(wallet.calls.filter(({ method }) => /sign|send/i.test(method))).toEqual([]);
    expect(window.window.wrongs).toEqual([]);
  }

  it.each(FUNDING_LIES)('that answers with %s is refused by its check (%s)', async (_what, check, change) => {
    const { window, wallet } = await meet(buyer, funding, (page) => changeAnswer(page, 'document', change));
    await expectRefused(window, wallet, check);
  });

  it('that changes amount and payment together is refused: the digest is not the one of the page', async () => {
    const { window, wallet } = await meet(buyer, funding, (page) =>
      changeAnswer(page, 'document', ({ action }) => {
        action.payload.message.value = '250000000';
        action.payload.authorizes.message.terms.amount = '250000000';
      }),
    );
    await expectRefused(window, wallet, 'digest');
  });

  it.each([
    ['another digest', 'digest', (html: string) => html.replace(/data-digest="0x.{8}/, 'data-digest="0x77777777')],
    ['another kind', 'kind', (html: string) => html.replace('data-kind="fund_task"', 'data-kind="create_task"')],
    [
      'an escrow that looks alike',
      'contract',
      (html: string) => html.replace(/data-escrow="(0x\w{40})"/, (_, address) => `data-escrow="${lookAlike(address)}"`),
    ],
  ])('whose page says %s is refused by its check (%s)', async (_what, check, change) => {
    const { window, wallet } = await meet(buyer, funding, (page) => changePage(page, change));
    // The form's answer is a redirect, which Playwright's routes do not see; after a reload the page passes through the
    // route.
    await window.page.reload();
    await expectRefused(window, wallet, check);
  });

  describe('for an action of the escrow itself', () => {
    beforeEach(async () => {
      job = await scenario.funded(buyer, worker);
      ({ action: abandonment } = await market.ask(worker, worker.intents.abandon(job)));
    });

    it.each(ABANDONMENT_LIES)('that answers with %s is refused by its check (%s)', async (_what, check, change) => {
      const { window, wallet } = await meet(worker, abandonment, (page) => changeAnswer(page, 'document', change));
      await expectRefused(window, wallet, check);
    });

    it('that hides that the job has moved on is found out by the wallet’s own node', async () => {
      const { window, wallet } = await meet(worker, abandonment, (page) =>
        changeAnswer(page, 'document', (document) => {
          document.status = 'opened';
          document.service_reading = { source: 'service' };
        }),
      );
      await scenario.deliver(job);
      await window.page.reload();
      await window.connect();
      await window.becomes('state_moved');
      expect(wallet.calls.filter(({ method }) => /sign|send/i.test(method))).toEqual([]);
    });

    it.each(CALL_LIES)('that returns a call %s for the signature never gets it sent', async (_what, change) => {
      const { window, wallet } = await meet(worker, abandonment, (page) => changeAnswer(page, 'submission', change));
      await window.connect();
      await window.sign();
      await window.becomes('foreign_call');
      expect(await window.button(/^Send/).count()).toBe(0);
      expect(wallet.calls.filter(({ method }) => method === 'eth_sendTransaction')).toEqual([]);
    });
  });

  it('whose answer is no document at all is not shown, and says so', async () => {
    const { window } = await meet(buyer, funding, (page) =>
      changeAnswer(page, 'document', (document) => delete document.action.payload),
    );
    await window.page.locator('[data-screen=unreadable], [data-screen=service_away]').waitFor();
    expect(await window.button(/sign/i).count()).toBe(0);
  });
});
