import type { Browser, Page } from 'playwright-core';
import { eventually } from '../../support/eventually.js';
import {
  accessibilityFaults,
  BROWSER_NOTE,
  BrowserWindow,
  describeWithBrowser,
  launchBrowser,
  smallTargets,
} from '../../support/oauth/browser.js';
import { BrowserPerson } from './browser-person.js';
import { ClientCallback, PlainClient } from '../../support/oauth/oauth-client.js';
import { OAuthService } from '../../support/oauth/oauth-service.js';
import { randomWallet } from '../../support/random-wallet.js';

let service: OAuthService;
let callback: ClientCallback;
let client: PlainClient;
let browser: Browser;
const open: { close(): Promise<void> }[] = [];

describeWithBrowser(`other ways through the pages${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    [service, callback] = await Promise.all([OAuthService.start(), ClientCallback.listen()]);
    client = await PlainClient.register(service.baseUrl, callback.url);
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

  async function visitor(): Promise<BrowserPerson> {
    const options = { mayVisit: [callback.origin] };
    const person = await BrowserPerson.open(browser, service.baseUrl, randomWallet(), options);
    open.push(person);
    return person;
  }

  it('without JavaScript a person signs elsewhere, allows, and arrives at the client', async () => {
    const key = randomWallet();
    const context = { javaScriptEnabled: false };
    const window = await BrowserWindow.open(browser, service.baseUrl, { context, mayVisit: [callback.origin] });
    open.push(window);
    const { page } = window;
    const asked = client.authorization('read buyer');
    await page.goto(asked.url.href);
    await page
      .getByLabel(/address/i)
      .first()
      .fill(key.address);
    await page.getByRole('button', { name: /message/i }).click();
    const message = (await page.locator('pre').textContent())!;
    expect(message.split('\n')[0]).toBe(
      `${new URL(service.baseUrl).host} wants you to sign in with your Ethereum account:`,
    );
    await page.getByLabel(/signature/i).fill(await key.signMessage(message));
    await page
      .locator('form', { has: page.getByLabel(/signature/i) })
      .getByRole('button')
      .click();
    await page.locator('input[name=scope][value=buyer]').uncheck();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL((url) => url.origin === callback.origin);
    const { body } = await client.redeem(new URL(page.url()), asked);
    expect(body.scope).toBe('read');
    expect(window.watch.strayRequests).toEqual([]);
    expect(window.watch.faults).toEqual([]);
  });

  it('by keyboard alone: every stop can be seen, and the way leads to the client', async () => {
    const person = await visitor();
    const { page } = person;
    await page.goto(everyScope());
    await page.getByRole('button', { name: 'Key Wallet' }).waitFor();
    await tabTo(page, 'Key Wallet');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await tabTo(page, 'agent-owner');
    await page.keyboard.press('Space');
    await tabTo(page, 'Allow');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.origin === callback.origin);
    expect(person.window.wrongs).toEqual([]);
  });

  it('the first stop of the keyboard skips to the content', async () => {
    const person = await visitor();
    await person.page.goto(everyScope());
    await person.page.keyboard.press('Tab');
    await person.page.keyboard.press('Enter');
    expect(await person.page.evaluate(() => document.activeElement?.id)).toBe('main');
  });

  it('the pages may not be framed, kept or sniffed, and name no other origin', async () => {
    const person = await visitor();
    const signIn = await person.page.goto(everyScope());
    await person.signIn();
    const consent = await person.page.reload();
    const account = await person.page.goto(`${service.baseUrl}/account`);
    const error = await person.page.goto(`${service.baseUrl}/oauth/authorize`);
    for (const answer of [signIn!, consent!, account!, error!]) {
      const headers = answer.headers();
      const policy = headers['content-security-policy']!;
      expect(policy).toMatch(/default-src 'none'/);
      expect(policy).toMatch(/frame-ancestors 'none'/);
      expect(policy).toMatch(/base-uri 'none'/);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'x-robots-tag': expect.stringContaining('noindex'),
      });
    }
    expect(person.window.wrongs).toEqual([]);
  });

  it('inside a frame of another site there is nothing to click on', async () => {
    const window = await BrowserWindow.open(browser, service.baseUrl);
    open.push(window);
    await window.page.goto(callback.origin);
    await window.page.evaluate((url) => {
      const frame = document.createElement('iframe');
      frame.src = url;
      document.body.append(frame);
    }, everyScope());
    await window.page.waitForTimeout(1000);
    const [, frame] = window.page.frames();
    expect(await frame!.locator('form').count()).toBe(0);
  });

  it('these specs notice what they look for: a request elsewhere, a breach of the policy, a barrier', async () => {
    const elsewhere = `${callback.origin}/elsewhere`;
    const request = (url: string): void => {
      void fetch(url).catch(() => {});
      Object.assign(new Image(), { src: url });
    };
    const held = await BrowserWindow.open(browser, service.baseUrl);
    const free = await BrowserWindow.open(browser, service.baseUrl, { axe: true });
    open.push(held, free);
    for (const { page } of [held, free]) {
      await page.goto(everyScope());
      await page.evaluate(request, elsewhere);
    }
    await free.page.evaluate(() => {
      const button = document.createElement('button');
      Object.assign(button.style, { minBlockSize: '0', blockSize: '30px', padding: '0' });
      document.body.append(button);
    });
    const stopped = () => new Set(held.watch.violations.map((text) => text.split(' ')[0]));
    await eventually(() => stopped().size >= 2 && free.watch.strayRequests.length >= 2);
    expect(stopped()).toEqual(new Set(['connect-src', 'img-src']));
    expect(new Set(free.watch.strayRequests)).toEqual(new Set([`GET ${elsewhere}`]));
    expect(await accessibilityFaults(free.page)).toEqual([expect.stringContaining('button-name')]);
    expect(await smallTargets(free.page)).toHaveLength(1);
  });
});

/** Presses Tab until the control of this name has the focus, and checks at each stop that the focus is visible. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let stop = 0; stop < 60; stop += 1) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      if (!element || element === document.body) return null;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const isMarked = (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none';
      return { text: (element.textContent ?? '').trim(), value: element.value ?? '', isMarked, tag: element.tagName };
    });
    if (focus === null) continue;
    expect([focus.tag, focus.text.slice(0, 40), focus.isMarked]).toEqual([focus.tag, focus.text.slice(0, 40), true]);
    if (focus.text === name || focus.value === name) return;
  }
  throw new Error(`${name} cannot be reached by the keyboard`);
}
