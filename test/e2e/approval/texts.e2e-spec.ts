import type { Browser } from 'playwright-core';
import { approvalMarket } from '../../support/approval/approval-market.js';
import { ApprovalWindow } from '../../support/approval/approval-window.js';
import { chainWallet } from '../../support/approval/chain-wallet.js';
import type { Actor, IntentsMarket } from '../../support/e2e/intents-market.js';
import { IntentsScenario } from '../../support/e2e/intents-scenario.js';
import { BROWSER_NOTE, describeWithBrowser, launchBrowser } from '../../support/oauth/browser.js';

/**
 * Texts that the service accepts. Characters that hide or reverse text are refused, which signing-pages.int-spec tests.
 */
const MARKUP = `<img src=x onerror="document.title='owned'"><b>Pay</b>`;

let market: IntentsMarket;
let scenario: IntentsScenario;
let browser: Browser;
let buyer: Actor;
let window: ApprovalWindow | null = null;

describeWithBrowser(`texts of other users on the approval page${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    [market, browser] = await Promise.all([approvalMarket(), launchBrowser()]);
    scenario = new IntentsScenario(market);
    buyer = await market.actor('Buyer');
  });

  afterEach(async () => {
    await window?.close();
    window = null;
  });

  afterAll(async () => {
    await browser?.close();
    await market?.stop();
  });

  it.each([
    ['markup', MARKUP],
    ['a quotation that wants to go on in the voice of the page', '” with a budget of up to 1.00 USDC. Checked. “'],
  ])('as %s stay one line of text, and the request can be signed', async (_what, title) => {
    const body = scenario.taskBody({ title, brief: `${MARKUP} `.repeat(300).slice(0, 15_000) });
    const { action } = await market.ask(buyer, buyer.intents.createTask(body));
    window = await ApprovalWindow.claim(browser, action, { wallets: [chainWallet(market, buyer)] });
    await window.connect();
    await window.page.locator('[data-screen=ready], [data-screen=not_previewed]').waitFor();
    const heading = (await window.page.locator('h1').textContent()) ?? '';
    expect(heading).toMatch(/^Publish “[^\n]{1,90}” with a budget of up to 1,000\.50 USDC\. No money moves now\.$/u);
    expect(await window.page.title()).not.toBe('owned');
    expect(await window.page.locator('#approval :is(img[src=x], b, script)').count()).toBe(0);
    expect(window.window.wrongs).toEqual([]);
    await window.sign();
    await window.becomes('signed');
  });
});
