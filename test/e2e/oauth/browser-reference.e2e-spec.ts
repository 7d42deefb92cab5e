import type { Browser } from 'playwright-core';
import { BROWSER_NOTE, describeWithBrowser, launchBrowser } from '../../support/oauth/browser.js';
import { BrowserPerson } from '../../support/oauth/browser-person.js';
import { OAuthService } from '../../support/oauth/oauth-service.js';
import { MarketStage } from '../../support/e2e/stage.js';

let stage: MarketStage;
let service: OAuthService;
let browser: Browser;
let person: BrowserPerson;

describeWithBrowser(`the API reference${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    [stage, service] = await Promise.all([MarketStage.open(), OAuthService.start()]);
    const reader = await stage.person('Rhea');
    browser = await launchBrowser();
    person = await BrowserPerson.open(browser, service.baseUrl, reader.participant.wallet);
  });

  afterAll(async () => {
    await person?.close();
    await browser?.close();
    await service?.stop();
    await stage?.close();
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
});
