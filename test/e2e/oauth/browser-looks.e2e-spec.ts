import { Wallet } from 'ethers';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.js';
import { account } from '../../support/market.js';
import {
  accessibilityFaults,
  BROWSER_NOTE,
  BrowserWindow,
  describeWithBrowser,
  launchBrowser,
  sidewaysScroll,
  smallTargets,
} from '../../support/oauth/browser.js';
import { BrowserPerson } from './browser-person.js';
import { rejecting } from '../../support/oauth/injected-wallets.js';
import { ClientCallback, PlainClient } from '../../support/oauth/oauth-client.js';
import { OAuthService } from '../../support/oauth/oauth-service.js';
import { randomWallet } from '../../support/random-wallet.js';

let service: OAuthService;
let callback: ClientCallback;
let client: PlainClient;
let browser: Browser;
const open: { close(): Promise<void> }[] = [];

const ACCOUNT_PAGES = [
  '',
  '/apps',
  '/keys',
  '/webhooks',
  '/webhooks/new',
  '/wallets',
  '/sessions',
  '/receipts',
  '/activity',
].map((path) => `/account${path}`);
/** Ways in which a page is looked at: width and height in CSS pixels, and the person's settings. */
const LOOKS: readonly [string, BrowserContextOptions][] = [
  ['a desktop, light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['a desktop, dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ['a small phone (320 px), dark', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }],
  // At 400 % zoom a window of 1280 by 1024 measures 320 by 256 CSS pixels (WCAG 1.4.10).
  ['400 % zoom', { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 }],
  [
    'forced colours, reduced motion',
    { forcedColors: 'active', reducedMotion: 'reduce', viewport: { width: 800, height: 600 } },
  ],
];

describeWithBrowser(`what the pages look like${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    [service, callback] = await Promise.all([OAuthService.start(), ClientCallback.listen()]);
    const name = 'An assistant with a name that is as long as a name may be, which is eighty signs';
    client = await PlainClient.register(service.baseUrl, callback.url, { client_name: name.slice(0, 80) });
    browser = await launchBrowser();
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
  });

  afterAll(async () => {
    await browser?.close();
    await callback?.close();
    await service?.stop();
  });

  const everyScope = (): string => client.authorization('read buyer worker agent-owner').url.href;

  async function visitor(context: BrowserContextOptions = {}, axe = false): Promise<BrowserPerson> {
    const options = { mayVisit: [callback.origin], context, axe };
    const person = await BrowserPerson.open(browser, service.baseUrl, randomWallet(), options);
    open.push(person);
    return person;
  }

  describe.each(LOOKS)('seen on %s', (_name, context) => {
    it('sign-in, message to sign, consent, a fault at its field', async () => {
      const person = await visitor(context, true);
      const { page } = person;
      await page.goto(everyScope());
      await page.getByRole('button', { name: 'Key Wallet' }).waitFor();
      await expectReadable(page);

      await page
        .getByLabel(/address/i)
        .first()
        .fill(randomWallet().address);
      await page.getByRole('button', { name: /message/i }).click();
      await page.locator('pre').waitFor();
      await expectReadable(page);

      await page.goto(everyScope());
      await person.signIn();
      await page.getByRole('button', { name: 'Allow' }).waitFor();
      await expectReadable(page);
      await person.decide({ fundingCap: '25', limits: { per_day: 'much' } });
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
      await expectReadable(page);
      expect(person.window.watch.strayRequests).toEqual([]);
    });

    it('every account page with something in it, new keys, and the page of an error', async () => {
      const person = await visitor(context, true);
      const { page } = person;
      await page.goto(`${service.baseUrl}/account/sign-in`);
      await page.getByRole('button', { name: 'Key Wallet' }).waitFor();
      await expectReadable(page);
      await person.signIn();
      await page.goto(everyScope());
      await person.allow({
        fundingCap: '25',
        limits: { per_day: '100', counterparties: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
      });
      await page.goto(everyScope());
      await page.getByText('Until now it can ask you to pay').waitFor();
      await expectReadable(page);
      await page.goto(`${service.baseUrl}/account/keys`);
      await page.getByLabel('Name').first().fill('A program');
      await page.getByText('Spending limits, optional').first().click();
      await page.getByLabel('In total (USDC)').first().fill('1000');
      await page.getByRole('button', { name: 'Create four keys' }).click();
      await page.locator('[data-message]').waitFor();
      await expectReadable(page);
      await person.confirm();
      await page.locator('#secrets').waitFor();
      await expectReadable(page);
      const others = ['/', '/status', '/nothing', '/oauth/authorize?client_id=unknown', '/oauth/interaction/unknown'];
      for (const path of [...ACCOUNT_PAGES, ...others]) {
        await page.goto(`${service.baseUrl}${path}`);
        await expectReadable(page);
      }
      expect(person.window.watch.strayRequests).toEqual([]);
    });
  });

  it('every account page of somebody who has nothing yet', async () => {
    const person = await visitor({ viewport: { width: 320, height: 640 } }, true);
    await person.page.goto(`${service.baseUrl}/account/sign-in`);
    await person.signIn();
    for (const path of ACCOUNT_PAGES) {
      await person.page.goto(`${service.baseUrl}${path}`);
      await expectReadable(person.page);
    }
  });

  it('the receipts of somebody who has some', async () => {
    const ada = new Wallet(account('Ada').wallet_private_key);
    const options = { context: { viewport: { width: 320, height: 640 } }, axe: true };
    const person = await BrowserPerson.open(browser, service.baseUrl, ada, options);
    open.push(person);
    await person.page.goto(`${service.baseUrl}/account/sign-in`);
    await person.signIn();
    await person.page.goto(`${service.baseUrl}/account/receipts`);
    await person.page.locator('td .hint').first().waitFor();
    await expectReadable(person.page);
    await person.page.locator('td a').first().click();
    await person.page.waitForURL(/receipts\/rcpt_/);
    await expectReadable(person.page);
  });

  it('the webhooks of somebody who has some', async () => {
    const person = await visitor({ viewport: { width: 320, height: 640 } }, true);
    const { page } = person;
    await page.goto(`${service.baseUrl}/account/sign-in`);
    await person.signIn();
    await page.goto(`${service.baseUrl}/account/webhooks/new`);
    for (const group of await page.locator('summary').all()) await group.click();
    await expectReadable(page);
    await page.getByLabel('Address').fill(`http://127.0.0.1:65535/${'a-long-path'.repeat(20)}`);
    await page.getByRole('button', { name: 'Create the endpoint' }).click();
    await page.locator('[data-message]').waitFor();
    await expectReadable(page);
    await person.confirm();
    await page.locator('#secret').waitFor();
    await expectReadable(page);
    await page.getByRole('link', { name: 'I have copied it' }).click();
    const endpoint = page.url();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await eventually(async () => {
      await page.goto(endpoint);
      return (await page.locator('td a').count()) > 0;
    });
    await expectReadable(page);
    await page.locator('td a').first().click();
    await page.waitForURL(/attempts\/wha_/);
    await expectReadable(page);
    for (const path of ['/change', '/delete']) {
      await page.goto(endpoint + path);
      await expectReadable(page);
    }
    await page.goto(endpoint);
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Turn on from now' }).waitFor();
    await expectReadable(page);
    expect(person.window.watch.strayRequests).toEqual([]);
  });

  it('a wallet that declines: the page with the sentence has no barrier either', async () => {
    const wallets = [rejecting(randomWallet(), 'personal_sign')];
    const window = await BrowserWindow.open(browser, service.baseUrl, { wallets, axe: true });
    open.push(window);
    await window.page.goto(everyScope());
    await window.page.getByRole('button', { name: 'Key Wallet' }).click();
    await window.page
      .getByRole('alert')
      .filter({ hasText: /declined/i })
      .waitFor();
    expect(await accessibilityFaults(window.page)).toEqual([]);
  });
});

/** Expects no accessibility violation, no sideways scrolling, and nothing too small to touch. */
async function expectReadable(page: Page): Promise<void> {
  const path = new URL(page.url()).pathname.replaceAll(/[\w-]{20,}/g, '…');
  expect([path, await accessibilityFaults(page)]).toEqual([path, []]);
  expect([path, await sidewaysScroll(page)]).toEqual([path, 0]);
  expect([path, await smallTargets(page)]).toEqual([path, []]);
  expect([path, await page.locator('h1').count()]).toEqual([path, 1]);
  expect([path, await page.title()]).toEqual([path, expect.stringMatching(/\S/)]);
}
