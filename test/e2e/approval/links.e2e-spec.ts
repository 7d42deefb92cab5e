import type { Browser } from 'playwright-core';
import { approvalMarket } from '../../support/approval/approval-market.js';
import { ApprovalWindow, type ApprovalWindowOptions } from '../../support/approval/approval-window.js';
import { chainWallet } from '../../support/approval/chain-wallet.js';
import type { Actor, IntentsMarket } from '../../support/e2e/intents-market.js';
import { IntentsScenario } from '../../support/e2e/intents-scenario.js';
import { BROWSER_NOTE, BrowserWindow, describeWithBrowser, launchBrowser } from '../../support/oauth/browser.js';

/** The link of a request: who may open it, how often, how long, and what it shows before it is opened. */
const TITLE = 'Count the words of a secret plan';
/** Texts that only the page of the browser that opened the request may contain. */
const INSIDE = /secret plan|1,?000\.5|Publish task/;

let market: IntentsMarket;
let scenario: IntentsScenario;
let browser: Browser;
let buyer: Actor;
let stranger: Actor;
let action: any;
const open: { close(): Promise<void> }[] = [];

describeWithBrowser(`the link of a request${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    [market, browser] = await Promise.all([approvalMarket(), launchBrowser()]);
    scenario = new IntentsScenario(market);
    [buyer, stranger] = [await market.actor('Buyer'), await market.actor('Stranger')];
  });

  beforeEach(async () => {
    ({ action } = await market.ask(buyer, buyer.intents.createTask(scenario.taskBody({ title: TITLE }))));
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((window) => window.close()));
  });

  afterAll(async () => {
    await browser?.close();
    await market?.stop();
  });

  /** Opens the link in another browser, without pressing anything. */
  async function visitor(who = buyer, options: ApprovalWindowOptions = {}): Promise<ApprovalWindow> {
    const window = await ApprovalWindow.open(browser, action, { wallets: [chainWallet(market, who)], ...options });
    open.push(window);
    return window;
  }

  async function holder(options: ApprovalWindowOptions = {}): Promise<ApprovalWindow> {
    const window = await visitor(buyer, options);
    await window.claim();
    return window;
  }

  const statusOf = async (): Promise<string> => (await buyer.client.read(`/v1/actions/${action.action_id}`)).status;

  it('tells whoever has it nothing of the task, the amount or the person before it is opened', async () => {
    const window = await visitor();
    expect(await window.page.content()).not.toMatch(INSIDE);
    expect(await window.page.content()).not.toContain(buyer.wallet);
    expect(await window.page.textContent('main')).toContain(buyer.wallet.slice(-4));
    expect(await statusOf()).toBe('prepared');
    await window.claim();
    await window.becomes('choose_wallet');
    expect(await window.page.content()).toMatch(INSIDE);
    expect(await statusOf()).toBe('opened');
    expect(window.window.wrongs).toEqual([]);
  });

  it('that leaked shows a second browser that it is open elsewhere, and nothing else', async () => {
    await holder();
    const thief = await visitor(stranger);
    expect((await thief.headings()).join()).toContain('Opened elsewhere');
    expect(await thief.page.content()).not.toMatch(INSIDE);
    for (const path of ['document', 'progress', 'simulation']) {
      const answer = await thief.page.request.get(`${action.signing_url}/${path}`);
      expect([path, answer.status()]).toEqual([path, 403]);
    }
    const forged = await thief.page.request.post(`${action.signing_url}/claim`, { form: {}, maxRedirects: 0 });
    expect(forged.status()).toBeGreaterThanOrEqual(400);
    expect(await thief.button(/sign with/i).count()).toBe(0);
  });

  it('is taken over by who proves the wallet, and the first browser can do nothing any more', async () => {
    const first = await holder();
    await first.connect();
    await first.becomes('ready');
    const second = await visitor();
    await second.button('Key Wallet').click();
    await second.page.locator('#approval').waitFor();
    await second.connect();
    await second.becomes('ready');
    await first.signButton.click();
    await first.becomes('opened_elsewhere');
    expect(await statusOf()).toBe('opened');
    await first.page.reload();
    expect((await first.headings()).join()).toContain('Opened elsewhere');
  });

  it('is not taken over by another wallet', async () => {
    await holder();
    const thief = await visitor(stranger);
    await thief.button('Key Wallet').click();
    await thief.page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
    expect(await thief.page.content()).not.toMatch(INSIDE);
    expect(await thief.page.locator('#approval').count()).toBe(0);
  });

  it('that was used signs nothing again: neither here nor in another browser', async () => {
    const window = await holder();
    await window.connect();
    await window.sign();
    await window.becomes('signed');
    const late = await visitor();
    expect((await late.headings()).join()).toMatch(/already signed|elsewhere/i);
    expect(await late.page.content()).not.toMatch(INSIDE);
    await window.page.reload();
    await window.page.getByRole('heading', { name: /already signed/i }).waitFor();
    expect(await window.signButton.count()).toBe(0);
  });

  it('that was declined is over, needs no wallet, and the app can see it', async () => {
    const window = await holder({ wallets: [] });
    await window.button('Decline').click();
    await window.becomes('declined');
    expect(await statusOf()).toBe('declined');
    await window.page.reload();
    await window.page.getByRole('heading', { name: /declined/i }).waitFor();
    expect(await window.signButton.count()).toBe(0);
  });

  it('is inert for whoever only looks: previews, prefetches, HEAD and a second GET change nothing', async () => {
    const url: string = action.signing_url;
    const looks: RequestInit[] = [
      { method: 'HEAD' },
      {},
      { headers: { 'User-Agent': 'Slackbot-LinkExpanding 1.0' } },
      { headers: { 'Sec-Purpose': 'prefetch' } },
      { headers: { 'Sec-Purpose': 'prefetch;prerender' } },
      { headers: { Purpose: 'prefetch' } },
    ];
    for (const look of looks) {
      const answer = await fetch(url, look);
      expect(await answer.text()).not.toMatch(INSIDE);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect((await fetch(url, { headers: { 'Sec-Purpose': 'prefetch' } })).status).toBe(400);
    expect(await statusOf()).toBe('prepared');
  });

  it('is not shown inside another page, and cannot be pressed there', async () => {
    const window = await BrowserWindow.open(browser, new URL(action.signing_url).origin);
    open.push(window);
    const answered = window.page.waitForResponse(action.signing_url);
    await window.page.setContent(`<iframe src="${action.signing_url}"></iframe>`);
    expect((await answered).status()).toBe(400);
    const [, frame] = window.page.frames();
    expect(await frame!.getByRole('button').count()).toBe(0);
    expect(await statusOf()).toBe('prepared');
  });

  // Must be the last test, because the clock of the market does not go back.
  it('ends with its time; the one who had opened it gets a fresh one for the same request', async () => {
    const window = await holder();
    await window.becomes('choose_wallet');
    await market.travel(1_000);
    await window.page.reload();
    await window.becomes('expired');
    expect(await window.signButton.count()).toBe(0);
    const late = await visitor(stranger);
    expect((await late.headings()).join()).toMatch(/expired|elsewhere/i);
    await window.button('Get a fresh link').click();
    await window.page.waitForURL((url) => url.href !== action.signing_url);
    await window.page.locator('#approval').waitFor();
    await window.connect();
    await window.sign();
    await window.becomes('signed');
    expect(await statusOf()).not.toBe('signed');
  });
});
