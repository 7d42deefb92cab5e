import type { Browser } from 'playwright-core';
import { approvalMarket } from '../../support/approval/approval-market.js';
import { ApprovalWindow } from '../../support/approval/approval-window.js';
import { chainWallet } from '../../support/approval/chain-wallet.js';
import { tooWide } from './first-screen.js';
import type { Actor, IntentsMarket } from '../../support/e2e/intents-market.js';
import { IntentsScenario, type Offer } from '../../support/e2e/intents-scenario.js';
import {
  accessibilityFaults,
  BROWSER_NOTE,
  BrowserWindow,
  describeWithBrowser,
  launchBrowser,
} from '../../support/oauth/browser.js';

/** Whoever must confirm that they have looked at a delivery can open it from the page, and nobody else can. */
const TITLE = 'Count the words of a long report';
const MARKUP = '<script>document.title="owned"</script><img src="https://elsewhere.example/x">';
const WORK = `${MARKUP} The report has 12,345 words. `.repeat(60);

let market: IntentsMarket;
let scenario: IntentsScenario;
let browser: Browser;
let buyer: Actor;
let worker: Actor;
let offer: Offer;
let hash: string;
const open: { close(): Promise<void> }[] = [];
jest.setTimeout(400_000);

describeWithBrowser(`the delivery that a request is about${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    [market, browser] = await Promise.all([approvalMarket(), launchBrowser()]);
    scenario = new IntentsScenario(market);
    [buyer, worker] = [await market.actor('Buyer'), await market.actor('Worker')];
    offer = await scenario.funded(buyer, worker, {}, await scenario.task(buyer, { title: TITLE }));
    hash = await scenario.deliver(offer, WORK);
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((window) => window.close()));
  });

  afterAll(async () => {
    await browser?.close();
    await market?.stop();
  });

  async function holder(action: any, axe = false): Promise<ApprovalWindow> {
    const window = await ApprovalWindow.claim(browser, action, { wallets: [chainWallet(market, buyer)], axe });
    open.push(window);
    return window;
  }

  it.each([
    ['accepted', () => buyer.intents.resolve(offer, hash)],
    ['rejected', () => buyer.intents.reject(offer, hash, 'Page 12 is missing.')],
  ])('can be looked at before it is %s', async (_what, intent) => {
    const { action } = await market.ask(buyer, intent());
    const window = await holder(action);
    await window.becomes('choose_wallet');
    const [preview] = await Promise.all([
      window.window.context.waitForEvent('page'),
      window.page.getByRole('link', { name: /^Look at the delivery/ }).click(),
    ]);
    expect((await preview.getByRole('heading', { level: 1 }).textContent()) ?? '').toBe(`Delivery for “${TITLE}”`);
    expect(await preview.locator('pre').textContent()).toContain(MARKUP);
    expect(await preview.locator('main').textContent()).toContain(hash.slice(2));
    // The artifact has the look of the other pages, but nothing in it runs or is loaded.
    expect(await preview.title()).not.toBe('owned');
    expect(await preview.locator('main :is(script, img)').count()).toBe(0);
    const ground = await preview.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(ground).toBe('rgb(247, 247, 245)');
    expect(await tooWide(preview)).toEqual([]);
    expect(window.window.wrongs).toEqual([]);
  });

  it('has no barrier on its page', async () => {
    const { action } = await market.ask(buyer, buyer.intents.resolve(offer, hash));
    const window = await holder(action, true);
    await window.becomes('choose_wallet');
    await window.page.goto(`${action.signing_url}/delivery`);
    await window.page.getByRole('heading', { level: 1 }).waitFor();
    expect(await accessibilityFaults(window.page)).toEqual([]);
  });

  it('is shown to nobody who has only the link, and not where a request answers no delivery', async () => {
    const { action } = await market.ask(buyer, buyer.intents.resolve(offer, hash));
    await holder(action);
    const stranger = await BrowserWindow.open(browser, market.facts.baseUrl);
    open.push(stranger);
    expect((await stranger.page.goto(`${action.signing_url}/delivery`))?.status()).toBe(403);
    expect(await stranger.page.content()).not.toMatch(/12,345|long report/);
    const { action: other } = await market.ask(buyer, buyer.intents.createTask(scenario.taskBody()));
    const window = await holder(other);
    expect(await window.page.getByRole('link', { name: /delivery/ }).count()).toBe(0);
    expect((await window.page.goto(`${other.signing_url}/delivery`))?.status()).toBe(404);
  });
});
