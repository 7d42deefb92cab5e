import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { KINDS } from '../../../libs/prepared-action/src/typed-data/action-kinds.js';
import { SCREENS } from '../../../src/web/approval/flow/screen.js';
import { approvalMarket } from '../../support/approval/approval-market.js';
import { ApprovalWindow } from '../../support/approval/approval-window.js';
import { belowTheFold, tooWide } from './first-screen.js';
import { chainWallet } from '../../support/approval/chain-wallet.js';
import type { IntentsMarket } from '../../support/e2e/intents-market.js';
import { IntentsScenario } from '../../support/e2e/intents-scenario.js';
import {
  accessibilityFaults,
  BROWSER_NOTE,
  BrowserWindow,
  describeWithBrowser,
  launchBrowser,
  sidewaysScroll,
  smallTargets,
} from '../../support/oauth/browser.js';

/** Ways in which people look at the approval page; every state of it is tested in each. */
const LOOKS: readonly [string, BrowserContextOptions, 'ltr' | 'rtl'][] = [
  ['a desktop, light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }, 'ltr'],
  ['a small phone (320 px), dark', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }, 'ltr'],
  // At 400 % zoom a window of 1280 by 1024 measures 320 by 256 CSS pixels (WCAG 1.4.10).
  ['400 % zoom', { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 }, 'ltr'],
  ['a desktop, dark, from right to left', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }, 'rtl'],
];

let market: IntentsMarket;
let browser: Browser;
jest.setTimeout(400_000);

describeWithBrowser(`what the approval page looks like${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    [market, browser] = await Promise.all([approvalMarket(), launchBrowser()]);
  });

  afterAll(async () => {
    await browser?.close();
    await market?.stop();
  });

  it('there is a sample of every state', async () => {
    const window = await BrowserWindow.open(browser, market.facts.baseUrl);
    const samples = await samplesOn(window.page);
    expect(samples).toEqual(expect.arrayContaining([...SCREENS]));
    await window.close();
  });

  it.each(LOOKS)('no state has a barrier on %s', async (_name, context, direction) => {
    const window = await BrowserWindow.open(browser, market.facts.baseUrl, { context, axe: true });
    const { page } = window;
    await page.addInitScript((dir) => {
      document.addEventListener('DOMContentLoaded', () => (document.documentElement.dir = dir));
    }, direction);
    const faults: string[] = [];
    for (const sample of await samplesOn(page)) {
      await page.goto(`${market.facts.baseUrl}/sign/fixtures/${sample}`);
      await page.locator('[data-screen]').waitFor();
      for (const fault of await faultsOf(page)) faults.push(`${sample}: ${fault}`);
    }
    expect(faults).toEqual([]);
    expect(window.watch.strayRequests).toEqual([]);
    await window.close();
  });

  it('every kind has money, sentence and button on the first screen, and is no wider than a phone', async () => {
    const window = await BrowserWindow.open(browser, market.facts.baseUrl);
    const { page } = window;
    const kinds = (await samplesOn(page)).filter((name) => name.startsWith('kind_'));
    expect(kinds.toSorted()).toEqual(
      Object.keys(KINDS)
        .map((kind) => `kind_${kind}`)
        .toSorted(),
    );
    const faults: string[] = [];
    for (const kind of kinds) {
      await page.goto(`${market.facts.baseUrl}/sign/fixtures/${kind}`);
      await page.locator('.state .actions > button').first().waitFor();
      for (const fault of [...(await belowTheFold(page)), ...(await tooWide(page))]) faults.push(`${kind}: ${fault}`);
    }
    expect(faults).toEqual([]);
    await window.close();
  });

  it('is operated by the keyboard alone, from the link to the signature', async () => {
    const scenario = new IntentsScenario(market);
    const buyer = await market.actor('Buyer');
    const { action } = await market.ask(buyer, buyer.intents.createTask(scenario.taskBody()));
    const window = await ApprovalWindow.open(browser, action, { wallets: [chainWallet(market, buyer)] });
    await pressByKeyboard(window.page, 'Open this request');
    await window.becomes('choose_wallet');
    await pressByKeyboard(window.page, 'Key Wallet');
    await window.becomes('ready');
    await pressByKeyboard(window.page, 'Sign with Key Wallet');
    await window.becomes('signed');
    // The focus is on the new state, so that a screen reader continues there.
    expect(await window.page.evaluate(() => document.activeElement?.id)).toBe('state');
    expect(window.window.wrongs).toEqual([]);
    await window.close();
  });
});

async function samplesOn(page: Page): Promise<string[]> {
  await page.goto(`${market.facts.baseUrl}/sign/fixtures`);
  await page.locator('.fixtures a').first().waitFor();
  return page.locator('.fixtures a').allTextContents();
}

/** Accessibility violations, content that is cut off or too small to touch, and wrong headings. */
async function faultsOf(page: Page): Promise<string[]> {
  const [barriers, sideways, small, headings] = [
    await accessibilityFaults(page),
    await sidewaysScroll(page),
    await smallTargets(page),
    await page.locator('h1').count(),
  ];
  return [
    ...barriers,
    ...(sideways > 0 ? [`scrolls sideways by ${sideways} px`] : []),
    ...small,
    ...(headings === 1 ? [] : [`${headings} headings of the first level`]),
  ];
}

/**
 * Presses Tab until the button of this name has the focus, checks that the focus is visible, and presses the button.
 */
async function pressByKeyboard(page: Page, name: string): Promise<void> {
  const wanted = page.getByRole('button', { name });
  await wanted.waitFor();
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press('Tab');
    const isThere = await wanted.evaluate((element) => element === document.activeElement);
    if (!isThere) continue;
    expect(await wanted.evaluate((element) => getComputedStyle(element).outlineStyle)).not.toBe('none');
    await page.keyboard.press('Enter');
    return;
  }
  throw new Error(`No Tab leads to ${name}`);
}
