import type { Browser, Page } from 'playwright-core';
import { BrowserWindow, type WindowOptions } from '../../support/oauth/browser.js';
import { injectedWallet } from '../../support/oauth/injected-wallets.js';
import type { Consent, PersonWallet } from '../../support/oauth/person.js';

/** A person who uses a real browser and the wallet in it. */
export class BrowserPerson {
  private constructor(readonly window: BrowserWindow) {}

  /** Opens a window whose only wallet, "Key Wallet", signs with these keys. */
  static async open(
    browser: Browser,
    baseUrl: string,
    wallet: PersonWallet,
    options: WindowOptions = {},
  ): Promise<BrowserPerson> {
    const wallets = options.wallets ?? [injectedWallet(wallet)];
    return new BrowserPerson(await BrowserWindow.open(browser, baseUrl, { ...options, wallets }));
  }

  get page(): Page {
    return this.window.page;
  }

  /**
   * Opens the authorization URL, signs in with the wallet of this name, and allows.
   * @returns where the browser ended.
   */
  async authorize(url: URL | string, consent: Consent = {}, walletName = 'Key Wallet'): Promise<URL> {
    await this.page.goto(String(url));
    await this.signIn(walletName);
    return this.allow(consent);
  }

  /** Signs in with the wallet of this name, and waits for the next page. */
  async signIn(walletName = 'Key Wallet'): Promise<void> {
    const from = this.page.url();
    await this.page.getByRole('button', { name: walletName }).click();
    await this.page.waitForURL((url) => url.href !== from);
  }

  /** Signs what the page asks for with the wallet of this name, and waits for the next page. */
  async confirm(walletName = 'Key Wallet'): Promise<void> {
    const section = this.page.locator('[data-message]');
    await section.getByRole('button', { name: walletName }).click();
    await section.waitFor({ state: 'detached' });
  }

  /** Fills in the consent page and allows. @returns where the browser ended. */
  async allow({ scopes, fundingCap, limits }: Consent = {}): Promise<URL> {
    await this.decide({ scopes, fundingCap, limits });
    const { origin } = new URL(this.page.url());
    await this.page.getByRole('button', { name: 'Allow' }).click();
    await this.page.waitForURL((url) => url.origin !== origin);
    return new URL(this.page.url());
  }

  /** Ticks and fills in the consent page. */
  async decide({ scopes, fundingCap, limits = {} }: Consent): Promise<void> {
    if (scopes) {
      for (const box of await this.page.locator('input[name=scope]').all()) {
        await box.setChecked(scopes.includes((await box.getAttribute('value')) ?? ''));
      }
    }
    if (fundingCap !== undefined) await this.page.locator('input[name=funding_cap]').fill(fundingCap);
    if (Object.keys(limits).length > 0) await this.page.getByText('More spending limits').click();
    for (const [name, value] of Object.entries(limits)) await this.page.locator(`input[name=${name}]`).fill(value);
  }

  close(): Promise<void> {
    return this.window.close();
  }
}
