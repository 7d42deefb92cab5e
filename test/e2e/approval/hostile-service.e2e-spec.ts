import type { Browser, Page } from 'playwright-core';
import { approvalMarket } from '../../support/approval/approval-market.js';
import { ApprovalWindow } from '../../support/approval/approval-window.js';
import { chainWallet } from '../../support/approval/chain-wallet.js';
import { changeAnswer, changePage, lookAlike } from '../../support/approval/hostile-service.js';
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

const OTHER = '0x00000000000000000000000000000000000000aa';
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
const LATE = '2100-01-01T00:00:00.000Z';

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

  const LIES: [string, string, (document: any) => void][] = [
    ['another kind', 'kind', ({ action }) => (action.kind = 'withdraw_refund')],
    ['another principal', 'principal', ({ action }) => (action.principal = 'acct_other')],
    ['another wallet', 'wallet', ({ action }) => (action.wallet_address = OTHER)],
    ['another task', 'target', ({ action }) => (action.task_id = 'task_01k90000000000000000000000')],
    ['another node', 'target', ({ action }) => (action.node_id = `${action.task_id.replace('task', 'node')}_2`)],
    ['another chain', 'chain', ({ action }) => (action.payload.domain.chainId = 1)],
    ['another chain in the envelope', 'chain', ({ action }) => (action.chain_id = 8453)],
    ['another token', 'contract', ({ action }) => (action.payload.domain.verifyingContract = OTHER)],
    ['another receiver', 'contract', ({ action }) => (action.payload.message.to = OTHER)],
    [
      'a receiver that looks alike',
      'contract',
      ({ action }) => (action.payload.message.to = lookAlike(action.payload.message.to)),
    ],
    ['another escrow', 'contract', ({ action }) => (action.escrow_address = OTHER)],
    [
      'an escrow that looks alike',
      'contract',
      ({ action }) => (action.escrow_address = lookAlike(action.escrow_address)),
    ],
    ['a struct more', 'schema', ({ action }) => (action.payload.types.Extra = [{ name: 'a', type: 'uint256' }])],
    ['a member more', 'schema', ({ action }) => (action.payload.message.extra = '1')],
    ['another primary type', 'schema', ({ action }) => (action.payload.primaryType = 'TransferWithAuthorization')],
    ['another amount', 'members', ({ action }) => (action.payload.message.value = '250000000')],
    ['a stale nonce', 'binding', ({ action }) => (action.nonce = String(BigInt(action.nonce) - 1n))],
    ['another floor', 'binding', ({ action }) => (action.payload.authorizes.message.terms.floor = '0')],
    ['fewer revisions', 'binding', ({ action }) => (action.payload.authorizes.message.terms.maxRevisions = '0')],
    ['less time to work', 'binding', ({ action }) => (action.payload.authorizes.message.terms.workSeconds = '86400')],
    ['another way to pay', 'schema', ({ action }) => (action.payload.authorizes.message.fundingMode = '0')],
    ['a payment that ends early', 'binding', ({ action }) => (action.payload.message.validBefore = '1')],
    ['a payment for another action', 'binding', ({ action }) => (action.payload.message.nonce = `0x${'7'.repeat(64)}`)],
    ['another digest of the request', 'request', ({ action }) => (action.request_digest = `0x${'7'.repeat(64)}`)],
    ['another request', 'request', (document) => (document.request.body = { funding_mode: 'permit' })],
    ['a far end', 'expiry', ({ action }) => (action.expires_at = LATE)],
    ['a page elsewhere', 'signing_url', ({ action }) => (action.signing_url = 'https://evil.example/sign/abc')],
  ];

  it.each(LIES)('that answers with %s is refused by its check (%s)', async (_what, check, change) => {
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

    it.each<[string, string, (document: any) => void]>([
      ['another amount', 'digest', ({ action }) => (action.payload.message.amount = '1')],
      ['another node', 'target', ({ action }) => (action.payload.message.nodeId = '2')],
      ['a stale nonce', 'binding', ({ action }) => (action.payload.message.nonce = '0')],
      ['the nonce of a later state', 'digest', ({ action }) => renumber(action, BigInt(action.nonce) + 1n)],
      ['the nonce of another node', 'binding', ({ action }) => renumber(action, (2n << 8n) | 1n)],
      ['another end', 'binding', ({ action }) => (action.payload.message.validUntil = '4000000000')],
      ['another contract', 'contract', ({ action }) => (action.payload.domain.verifyingContract = OTHER)],
      ['a struct of another kind', 'schema', ({ action }) => (action.payload.primaryType = 'Deliver')],
      ['a member of another type', 'schema', ({ action }) => (action.payload.types.AbandonNode[2].type = 'uint128')],
      ['a call to somebody else', 'contract', ({ action }) => (action.payload.transaction.to = OTHER)],
    ])('that answers with %s is refused by its check (%s)', async (_what, check, change) => {
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

    it.each<[string, (answer: any) => void]>([
      ['to somebody else', ({ transaction }) => (transaction.to = OTHER)],
      ['with ether', ({ transaction }) => (transaction.value = '0xde0b6b3a7640000')],
      ['of another function', ({ transaction }) => (transaction.data = `0xa9059cbb${transaction.data.slice(10)}`)],
      ['of another node', ({ transaction }) => (transaction.data = transaction.data.replace(/(0{63})1/, '$12'))],
      ['with another signature', ({ transaction }) => (transaction.data = changedDigit(transaction.data))],
    ])('that returns a call %s for the signature never gets it sent', async (_what, change) => {
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

/** Gives envelope and message another nonce. */
function renumber(action: any, nonce: bigint): void {
  action.nonce = nonce.toString();
  action.payload.message.nonce = action.nonce;
}

/** Changes one digit inside the signature, which is the last argument, before the zero padding of its last word. */
function changedDigit(data: string): string {
  const at = data.replace(/0*$/, '').length - 12;
  return `${data.slice(0, at)}${data[at] === '1' ? '2' : '1'}${data.slice(at + 1)}`;
}
