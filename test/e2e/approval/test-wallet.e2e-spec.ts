import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { ApprovalWindow } from '../../support/approval/approval-window.js';
import { account, api, localMarket } from '../../support/market.js';
import { BROWSER_NOTE, BrowserWindow, describeWithBrowser, launchBrowser } from '../../support/oauth/browser.js';
import { OAuthService } from '../../support/oauth/oauth-service.js';

/** The wallet of the local market works in a market as a newcomer starts it, and no other service has it. */
const PICTURES = 'docs/pictures';
const UPDATES = process.env.UPDATE_PICTURES === '1';
const NEWCOMER = { viewport: { width: 760, height: 900 }, colorScheme: 'light' } as const;

let browser: Browser;

describeWithBrowser(`the test wallet of the local market${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  async function creation(): Promise<any> {
    const { status, body } = await api(account('Ada'), 'buyer')('/v1/task-creation-intents', {
      headers: { 'Idempotency-Key': `pictures-${Date.now()}` },
      body: {
        title: 'Translate a manual of 40 pages into German',
        brief: 'Translate the 40 pages of our manual into German.',
        criteria: ['All 40 pages are translated'],
        budget: { amount: '300', currency: 'USDC' },
        selection_mode: 'manual',
      },
    });
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  }

  it('signs on the real page, after asking in a dialog of its own', async () => {
    const window = await ApprovalWindow.claim(browser, await creation(), { context: NEWCOMER });
    const { page } = window;
    await window.connect('Demo Wallet');
    await window.becomes('ready');
    await picture(page, 'approval-page');
    await window.signButton.click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('CreateTask');
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await window.becomes('rejected');
    await window.signButton.click();
    await dialog.getByRole('button', { name: 'Sign' }).click();
    await window.becomes('signed');
    expect(window.window.wrongs).toEqual([]);
    await window.close();
  });

  it('signs people in, and shows them receipts that the chain confirms', async () => {
    const { base_url: baseUrl, rpc_url: rpcUrl } = localMarket();
    const window = await BrowserWindow.open(browser, baseUrl, { context: NEWCOMER });
    const { page } = window;
    await page.goto(`${baseUrl}/account/sign-in`);
    await page.getByRole('button', { name: 'Demo Wallet' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Ada', exact: true }).click();
    await asked(page, 'Sign');
    expect(await page.getByRole('dialog').textContent()).toContain('wants you to sign in');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign' }).click();
    await page.waitForURL(`${baseUrl}/account`);
    await page.goto(`${baseUrl}/account/receipts`);
    await page.locator('tbody a').first().click();
    await page.getByRole('heading', { name: 'How to verify this receipt' }).waitFor();
    for (const item of await page.locator('section[aria-labelledby=verify] li').all()) {
      const request = (await item.locator('pre').textContent())!;
      if (!request.startsWith('{')) continue;
      const answer = await (await fetch(rpcUrl, { method: 'POST', headers: JSON_TYPE, body: request })).text();
      for (const value of await item.locator('p code').allTextContents()) expect(answer).toContain(value);
    }
    await picture(page, 'receipt');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('nav').isVisible()).toBe(false);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(window.wrongs).toEqual([]);
    await window.close();
  });
});

/** Waits until the wallet asks for a decision. When it does not, fails with the texts that the page shows. */
async function asked(page: Page, yes: string): Promise<void> {
  try {
    await page.getByRole('dialog').getByRole('button', { name: yes }).waitFor();
  } catch {
    const said = [page.getByRole('status'), page.getByRole('alert'), page.getByRole('dialog')];
    const texts = await Promise.all(said.map((part) => part.allTextContents()));
    throw new Error(`The wallet does not ask; the page says: ${texts.flat().filter(Boolean).join(' | ') || 'nothing'}`);
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('a service that nobody has given the test wallet', () => {
  it('offers it on no page and answers for it nowhere', async () => {
    const service = await OAuthService.start();
    try {
      const page = await (await fetch(`${service.baseUrl}/account/sign-in`)).text();
      expect(page).not.toContain('test-wallet');
      const asked = await fetch(`${service.baseUrl}/test-wallet`, {
        method: 'POST',
        headers: { ...JSON_TYPE, Origin: service.baseUrl },
        body: '{"method":"eth_accounts"}',
      });
      expect(asked.status).toBe(404);
    } finally {
      await service.stop();
    }
  });

  it('is asked by no page of another site', async () => {
    const { base_url: baseUrl } = localMarket();
    for (const origin of ['https://evil.example', 'null', undefined]) {
      const answer = await fetch(`${baseUrl}/test-wallet`, {
        method: 'POST',
        headers: { ...JSON_TYPE, ...(origin === undefined ? {} : { Origin: origin }) },
        body: '{"method":"eth_accounts"}',
      });
      expect(answer.status).toBe(400);
    }
  });

  it('has nothing of it in the scripts of its pages', () => {
    const built = readdirSync('dist/web').filter((name) => name.endsWith('.js') && name !== 'test-wallet.js');
    expect(built).toContain('approval.js');
    for (const name of built) {
      const text = readFileSync(join('dist/web', name), 'utf8');
      expect([name, /Demo Wallet|test-wallet|test_people/.test(text)]).toEqual([name, false]);
    }
    expect(readFileSync('dist/web/test-wallet.js', 'utf8')).not.toMatch(/0x[0-9a-f]{64}|private/i);
  });
});

/** Updates a picture in the README from the running product, when UPDATE_PICTURES is set. */
async function picture(page: Page, name: string): Promise<void> {
  if (UPDATES)
    await page.screenshot({ path: join(PICTURES, `${name}.png`), type: 'png', scale: 'css', fullPage: true });
}
