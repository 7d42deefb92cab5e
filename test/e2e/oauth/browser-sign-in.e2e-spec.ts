import type { Browser, Locator } from 'playwright-core';
import { BROWSER_NOTE, BrowserWindow, describeWithBrowser, launchBrowser } from '../../support/oauth/browser.js';
import {
  contractWallet,
  injectedWallet,
  type InjectedWallet,
  onWrongChain,
  pending,
  rejecting,
  undeployedWallet,
} from '../../support/oauth/injected-wallets.js';
import { ClientCallback, PlainClient } from '../../support/oauth/oauth-client.js';
import { OAuthService } from '../../support/oauth/oauth-service.js';
import { contractWalletCode } from '../../support/contract-wallet.js';
import { MarketFixture } from '../../support/e2e/market-fixture.js';
import { randomWallet } from '../../support/random-wallet.js';

let fixture: MarketFixture;
let service: OAuthService;
let callback: ClientCallback;
let client: PlainClient;
let browser: Browser;
let windows: BrowserWindow[] = [];

describeWithBrowser(`signing in with a wallet of the browser${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    [fixture, service, callback] = await Promise.all([
      MarketFixture.open(),
      OAuthService.start(),
      ClientCallback.listen(),
    ]);
    client = await PlainClient.register(service.baseUrl, callback.url, { client_name: 'Browser client' });
    browser = await launchBrowser();
  });

  afterEach(async () => {
    await Promise.all(windows.splice(0).map((window) => window.close()));
  });

  afterAll(async () => {
    await browser?.close();
    await callback?.close();
    await service?.stop();
    await fixture?.close();
  });

  /** Opens the sign-in page in a window with these wallets. */
  async function signInPage(wallets: readonly InjectedWallet[]): Promise<BrowserWindow> {
    const window = await BrowserWindow.open(browser, service.baseUrl, { wallets, mayVisit: [callback.origin] });
    windows.push(window);
    await window.page.goto(client.authorization('read').url.href);
    return window;
  }

  const choose = (window: BrowserWindow, name = 'Key Wallet'): Promise<void> =>
    window.page.getByRole('button', { name }).click();
  const allow = (window: BrowserWindow): Locator => window.page.getByRole('button', { name: 'Allow' });

  /** Expects the consent page with this wallet's address, allows, and expects to arrive at the client. */
  async function expectSignedIn(window: BrowserWindow, address: string): Promise<void> {
    await allow(window).waitFor();
    const text = (await window.page.getByRole('main').innerText()).replaceAll(/\s/g, '');
    expect(text).toContain(address);
    await allow(window).click();
    await window.page.waitForURL((url) => url.origin === callback.origin);
    expect(new URL(window.page.url()).searchParams.get('code')).toMatch(/\S/);
    expect(window.wrongs).toEqual([]);
  }

  /**
   * Expects the sign-in page with this sentence as a focused alert, and with the field for signing without a wallet.
   */
  async function expectRefusal(window: BrowserWindow, sentence: RegExp): Promise<void> {
    const alert = window.page.getByRole('alert').filter({ hasText: sentence });
    await alert.waitFor();
    expect(await alert.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await window.page.getByLabel(/address/i).count()).toBeGreaterThan(0);
    expect(await allow(window).count()).toBe(0);
    expect(window.wrongs).toEqual([]);
  }

  it('a wallet that is a key', async () => {
    const key = randomWallet();
    const wallet = injectedWallet(key);
    const window = await signInPage([wallet]);
    await choose(window);
    await expectSignedIn(window, key.address);
    expect(wallet.calls.filter(({ method }) => method === 'personal_sign')).toHaveLength(1);
    expect(wallet.calls.map(({ method }) => method)).not.toContain('eth_sendTransaction');
  });

  it('a wallet that is a contract (ERC-1271)', async () => {
    const owner = randomWallet();
    const address = await deployed(contractWalletCode(owner.address));
    const window = await signInPage([injectedWallet(contractWallet(address, owner), { name: 'Smart Wallet' })]);
    await choose(window, 'Smart Wallet');
    await expectSignedIn(window, address);
  });

  it('a contract wallet that is not deployed yet (ERC-6492)', async () => {
    const wallet = undeployedWallet();
    const window = await signInPage([injectedWallet(wallet, { name: 'Future Wallet' })]);
    await choose(window, 'Future Wallet');
    await expectSignedIn(window, wallet.address);
    expect(await fixture.chain.provider.getCode(wallet.address)).toBe('0x');
  });

  it('a contract wallet whose signature is of somebody else is refused', async () => {
    const address = await deployed(contractWalletCode(randomWallet().address));
    const window = await signInPage([injectedWallet(contractWallet(address, randomWallet()))]);
    await choose(window);
    const alert = window.page.getByRole('alert').filter({ hasText: /\S/ });
    await alert.first().waitFor();
    expect(await allow(window).count()).toBe(0);
  });

  it('several wallets: each has its button with its own name and picture', async () => {
    const [one, two] = [randomWallet(), randomWallet()];
    const window = await signInPage([
      injectedWallet(one, { name: 'First Wallet' }),
      injectedWallet(two, { name: 'Second Wallet' }),
    ]);
    const buttons = window.page.getByRole('button', { name: /^(First|Second) Wallet$/ });
    await buttons.nth(1).waitFor();
    expect(await buttons.count()).toBe(2);
    expect(await buttons.locator('img').count()).toBe(2);
    await choose(window, 'Second Wallet');
    await expectSignedIn(window, two.address);
  });

  it('a name with markup in it is a name', async () => {
    const wallet = injectedWallet(randomWallet(), { name: '<img src=x onerror=alert(1)><b>Bold</b>' });
    const window = await signInPage([wallet]);
    await window.page.getByRole('button', { name: '<img src=x' }).waitFor();
    expect(await window.page.locator('b').count()).toBe(0);
    expect(window.wrongs).toEqual([]);
  });

  it('its person declines to connect', async () => {
    const window = await signInPage([rejecting(randomWallet(), 'eth_requestAccounts')]);
    await choose(window);
    await expectRefusal(window, /declined/i);
  });

  it('its person declines to sign, and signs after all', async () => {
    const key = randomWallet();
    let declines = 1;
    const wallet = injectedWallet(key);
    const declining = rejecting(key, 'personal_sign');
    const window = await signInPage([
      {
        ...wallet,
        request: (...call) => (call[0] === 'personal_sign' && declines-- > 0 ? declining : wallet).request(...call),
      },
    ]);
    await choose(window);
    await expectRefusal(window, /declined/i);
    await choose(window);
    await expectSignedIn(window, key.address);
  });

  it('a locked wallet with a request open', async () => {
    const window = await signInPage([pending(randomWallet())]);
    await choose(window);
    await expectRefusal(window, /waiting for another answer|locked|unlock/i);
  });

  it('a wallet that shows no account', async () => {
    const locked = injectedWallet(randomWallet(), {
      answer: (method) => (method === 'eth_requestAccounts' ? Promise.resolve([]) : undefined),
    });
    const window = await signInPage([locked]);
    await choose(window);
    await expectRefusal(window, /no account|unlock/i);
  });

  it('a wallet on another chain is asked to change, and does', async () => {
    const key = randomWallet();
    const wallet = onWrongChain(key, true);
    const window = await signInPage([wallet]);
    await choose(window, 'Wandering Wallet');
    await expectSignedIn(window, key.address);
    const asked = wallet.calls.find(({ method }) => method === 'wallet_switchEthereumChain');
    expect(asked?.params).toEqual([{ chainId: '0x7a69' }]);
  });

  it('a wallet that does not know the chain: nothing is signed', async () => {
    const wallet = onWrongChain(randomWallet(), false);
    const window = await signInPage([wallet]);
    await choose(window, 'Wandering Wallet');
    await expectRefusal(window, /31337/);
    expect(wallet.calls.map(({ method }) => method)).not.toContain('personal_sign');
  });

  it('no wallet at all: the page says so and offers the message', async () => {
    const window = await signInPage([]);
    await window.page
      .getByText(/no wallet/i)
      .first()
      .waitFor();
    const key = randomWallet();
    await window.page
      .getByLabel(/address/i)
      .first()
      .fill(key.address);
    await window.page.getByRole('button', { name: /message/i }).click();
    const message = await window.page.locator('pre').innerText();
    expect(message).toContain(key.address);
    expect(await window.page.getByRole('img', { name: /QR/ }).count()).toBe(1);
    await window.page.getByLabel(/signature/i).fill(await key.signMessage(message));
    await window.page
      .locator('form', { has: window.page.getByLabel(/signature/i) })
      .getByRole('button')
      .click();
    await expectSignedIn(window, key.address);
  });

  it('a wallet of the old way, without EIP-6963, is found too', async () => {
    const key = randomWallet();
    const window = await BrowserWindow.open(browser, service.baseUrl, { mayVisit: [callback.origin] });
    windows.push(window);
    const wallet = injectedWallet(key);
    await window.context.exposeFunction('askOldWallet', (method: string, params: unknown[]) =>
      wallet.request(method, params),
    );
    await window.context.addInitScript(() => {
      const request = ({ method, params = [] }: { method: string; params?: unknown[] }): Promise<unknown> =>
        (globalThis as any).askOldWallet(method, params);
      (globalThis as any).ethereum = { request };
    });
    await window.page.goto(client.authorization('read').url.href);
    await window.page.locator('[data-wallets] button').click();
    await expectSignedIn(window, key.address);
  });
});

/** Deploys a contract on the market's chain. @returns its address. */
async function deployed(code: string): Promise<string> {
  return (await fixture.chain.deploy(code)).contract!;
}
