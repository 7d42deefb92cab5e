import type { Browser } from 'playwright-core';
import { BROWSER_NOTE, describeWithBrowser, launchBrowser } from '../../support/oauth/browser.js';
import { BrowserPerson } from './browser-person.js';
import { OAuthService } from '../../support/oauth/oauth-service.js';
import { MarketFixture } from '../../support/e2e/market-fixture.js';

let fixture: MarketFixture;
let service: OAuthService;
let browser: Browser;
let person: BrowserPerson;

describeWithBrowser(`the API reference${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    [fixture, service] = await Promise.all([MarketFixture.open(), OAuthService.start()]);
    const reader = await fixture.person('Rhea');
    browser = await launchBrowser();
    person = await BrowserPerson.open(browser, service.baseUrl, reader.participant.wallet);
  });

  afterAll(async () => {
    await person?.close();
    await browser?.close();
    await service?.stop();
    await fixture?.close();
  });

  it('follows the colours of the system', async () => {
    const { page } = person;
    const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${service.baseUrl}/docs`);
    await page.locator('.opblock').first().waitFor();
    expect(await background()).toBe('rgb(28, 32, 34)');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('html:not(.dark-mode)').waitFor();
  });

  it('is authorized in a window that closes by itself, and then sends the token with what is tried out', async () => {
    const { page, window } = person;
    await page.goto(`${service.baseUrl}/docs`);
    await page.locator('.auth-wrapper .authorize').click();
    const dialog = page.locator('.modal-ux');
    const opened = window.context.waitForEvent('page');
    await dialog.locator('.auth-container', { hasText: 'authorizationCode' }).locator('button.authorize').click();
    const asking = await opened;
    await asking.getByRole('button', { name: 'Key Wallet' }).click();
    await asking.getByText('part of this service').waitFor();
    const closed = asking.waitForEvent('close');
    await asking.getByRole('button', { name: 'Allow' }).click();
    await closed;
    await dialog.getByText('Authorized', { exact: true }).waitFor();
    await dialog.locator('.close-modal').click();

    const operation = page.locator('.opblock-get').filter({ has: page.locator('[data-path="/v1/tasks"]') });
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/tasks');
    await operation.getByRole('button', { name: 'Execute' }).click();
    const response = await answered;
    expect([response.status(), response.request().headers()['authorization']]).toEqual([
      200,
      expect.stringMatching(/^Bearer \S+$/),
    ]);
    await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    expect(window.wrongs).toEqual([]);
  });

  it('says what was answered when the person cancels, and closes the window then too', async () => {
    const { page, window } = person;
    await page.goto(`${service.baseUrl}/docs`);
    await page.locator('.auth-wrapper .authorize').click();
    const dialog = page.locator('.modal-ux');
    const opened = window.context.waitForEvent('page');
    await dialog.locator('.auth-container', { hasText: 'authorizationCode' }).locator('button.authorize').click();
    const asking = await opened;
    const closed = asking.waitForEvent('close');
    await asking.getByRole('button', { name: 'Cancel' }).click();
    await closed;
    await dialog.locator('.errors').waitFor();
    expect(window.wrongs).toEqual([]);
  });

  it('keeps its token when a window that it did not open answers', async () => {
    const { page, window } = person;
    await page.goto(`${service.baseUrl}/docs`);
    const other = await window.context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await other.goto(`${service.baseUrl}/docs/oauth2-redirect.html?code=of-somebody-else&state=guessed`);
    await other.getByText('Close this window').waitFor();
    expect(new URL(other.url()).search).toBe('');
    await page.evaluate('new Promise((done) => setTimeout(done, 200))');
    expect([asked, other.isClosed()]).toEqual([[], false]);
    await other.close();
  });
});
