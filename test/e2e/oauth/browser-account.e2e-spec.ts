import type { Browser } from 'playwright-core';
import { BROWSER_NOTE, describeWithBrowser, launchBrowser } from '../../support/oauth/browser.js';
import { BrowserPerson } from './browser-person.js';
import { tokensOf } from '../../support/oauth/connected-client.js';
import { injectedWallet } from '../../support/oauth/injected-wallets.js';
import { ClientCallback, PlainClient } from '../../support/oauth/oauth-client.js';
import { OAuthService } from '../../support/oauth/oauth-service.js';
import type { PersonWallet } from '../../support/oauth/person.js';
import { randomWallet } from '../../support/random-wallet.js';

const KEY = /mkt_test_[rbwo]_[0-9A-Za-z]{36}/g;

let service: OAuthService;
let callback: ClientCallback;
let browser: Browser;
const people: BrowserPerson[] = [];

describeWithBrowser(`the account pages in the browser${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    [service, callback] = await Promise.all([OAuthService.start(), ClientCallback.listen()]);
    browser = await launchBrowser();
  });

  afterEach(async () => {
    const wrongs = people.flatMap(({ window }) => window.wrongs);
    await Promise.all(people.splice(0).map((person) => person.close()));
    if (wrongs.length > 0) throw new Error(wrongs.join('\n'));
  });

  afterAll(async () => {
    await browser?.close();
    await callback?.close();
    await service?.stop();
  });

  async function visitor(wallet: PersonWallet = randomWallet(), others: PersonWallet[] = []): Promise<BrowserPerson> {
    const wallets = [injectedWallet(wallet), ...others.map((one) => injectedWallet(one, { name: 'Other Wallet' }))];
    const options = { mayVisit: [callback.origin], wallets };
    const person = await BrowserPerson.open(browser, service.baseUrl, wallet, options);
    people.push(person);
    return person;
  }

  /** A person who is signed in, at the page with this path. */
  async function signedIn(path: string, ...wallets: [PersonWallet?, PersonWallet[]?]): Promise<BrowserPerson> {
    const person = await visitor(...wallets);
    await person.page.goto(`${service.baseUrl}${path}`);
    // A visitor who is not signed in is redirected to the sign-in page.
    expect(new URL(person.page.url()).pathname).toBe('/account/sign-in');
    await person.signIn();
    await person.page.goto(`${service.baseUrl}${path}`);
    return person;
  }

  const textOf = async ({ page }: BrowserPerson): Promise<string> =>
    (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ');
  const statusWith = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${service.baseUrl}/v1/tasks`, { headers })).status;
  const statusOfKey = (key: string): Promise<number> => statusWith({ 'X-Api-Key': key });
  const secretsOn = async (person: BrowserPerson): Promise<string[]> =>
    (await person.page.locator('#secrets').inputValue()).match(KEY) ?? [];

  it('connected apps: what it may do and has done; revoking stops its tokens at once', async () => {
    const person = await visitor();
    const client = await PlainClient.register(service.baseUrl, callback.url, { client_name: 'Helpful app' });
    const asked = client.authorization('read buyer');
    const arrived = await person.authorize(asked.url, { fundingCap: '250' });
    const tokens = tokensOf(await client.redeem(arrived, asked));
    const bearer = { Authorization: `Bearer ${tokens.access_token}` };
    expect(await statusWith(bearer)).toBe(200);

    await person.page.goto(`${service.baseUrl}/account/apps`);
    expect(await textOf(person)).toMatch(/Helpful app.*See your tasks.*Prepare what you do as a buyer.*250\.00 USDC/);
    await person.page.getByRole('button', { name: 'Revoke: Helpful app' }).click();
    expect(await person.page.getByRole('status').innerText()).toMatch(/disconnected/);
    expect(await statusWith(bearer)).toBe(401);
    const late = await client.refresh(tokens.refresh_token);
    expect([late.status, late.body.error]).toEqual([400, 'invalid_grant']);
    expect(await textOf(person)).toContain('No application is connected');
  });

  it('a key set is shown once, works, is limited to its scopes, is replaced, and is revoked', async () => {
    const person = await signedIn('/account/keys');
    const { page } = person;
    await page.getByLabel('Name').first().fill('My program');
    await page.getByRole('button', { name: 'Create four keys' }).click();
    await person.confirm();
    await page.locator('#secrets').waitFor();
    const keys = await secretsOn(person);
    expect(keys.map((key) => key.slice(0, 11)).toSorted()).toEqual(
      ['mkt_test_b_', 'mkt_test_o_', 'mkt_test_r_', 'mkt_test_w_'].toSorted(),
    );
    const read = keys.find((key) => key.startsWith('mkt_test_r_'))!;
    const buyer = keys.find((key) => key.startsWith('mkt_test_b_'))!;
    expect([await statusOfKey(read), await statusOfKey(buyer)]).toEqual([200, 403]);

    // The page after the form neither makes nor shows a key again.
    await page.getByRole('link', { name: 'I have copied it' }).click();
    expect((await page.content()).match(KEY)).toBeNull();
    expect(await page.getByRole('article').count()).toBe(4);

    const card = page.getByRole('article').filter({ hasText: `…${read.slice(-4)}` });
    await card.getByText('Replace with a new key').click();
    await card.getByLabel(/hours/i).fill('0');
    await card.getByRole('button', { name: /^Replace/ }).click();
    await person.confirm();
    const [rolled] = await secretsOn(person);
    expect([await statusOfKey(read), await statusOfKey(rolled!)]).toEqual([401, 200]);

    await page.goto(`${service.baseUrl}/account/keys`);
    const next = page.getByRole('article').filter({ hasText: `…${rolled!.slice(-4)}` });
    await next.getByRole('button', { name: /^Revoke/ }).click();
    expect(await page.getByRole('status').innerText()).toMatch(/revoked/);
    expect(await statusOfKey(rolled!)).toBe(401);
  });

  it('the answer with new keys, sent a second time by a reload, makes no second set', async () => {
    const person = await signedIn('/account/keys');
    const { page } = person;
    await page.getByLabel('Name').first().fill('Twice');
    await page.getByRole('button', { name: 'Create four keys' }).click();
    await person.confirm();
    await page.locator('#secrets').waitFor();
    await page.reload();
    expect((await page.content()).match(KEY)).toBeNull();
    await page.goto(`${service.baseUrl}/account/keys`);
    expect(await page.getByRole('article').count()).toBe(4);
  });

  it('a key for one thing, for networks that this machine is not in', async () => {
    const person = await signedIn('/account/keys');
    const { page } = person;
    await page.getByText('For a program that needs one permission').click();
    const form = page.locator('form', { has: page.getByRole('button', { name: 'Create the key' }) });
    await form.getByLabel(/See your tasks/).check();
    await form.getByLabel('Name').fill('Elsewhere');
    await form.getByLabel(/networks/).fill('203.0.113.0/24');
    await form.getByRole('button', { name: 'Create the key' }).click();
    await person.confirm();
    const [key] = await secretsOn(person);
    expect(await statusOfKey(key!)).toBe(401);
  });

  it('a second wallet is added, signs in to the same account, signs actions, and the first is about to go', async () => {
    const [first, second] = [randomWallet(), randomWallet()];
    const person = await signedIn('/account/wallets', first, [second]);
    const { page } = person;
    await page.getByRole('button', { name: 'Other Wallet' }).click();
    await page.locator('[data-message]').waitFor();
    // The new wallet cannot confirm its own addition.
    await page.getByRole('button', { name: 'Other Wallet' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /Switch to the account that ends in/ })
      .waitFor();
    await person.confirm();
    await page.waitForURL(/notice=wallet-linked/);
    expect((await textOf(person)).replaceAll(' ', '')).toContain(second.address);

    const other = await signedIn('/account', second);
    const accountId = (text: string): string | undefined => /acct_\w+/.exec(text)?.[0];
    const here = accountId(await textOf(other));
    await page.goto(`${service.baseUrl}/account`);
    expect([here, accountId(await textOf(person))]).toEqual([expect.any(String), here]);

    await page.goto(`${service.baseUrl}/account/wallets`);
    await page.getByRole('button', { name: /^Use for signing/ }).click();
    await person.confirm();
    await page.waitForURL(/notice=wallet-used/);
    await other.page.goto(`${service.baseUrl}/account/wallets`);
    await other.page.getByRole('button', { name: /^Remove/ }).click();
    await other.confirm();
    await other.page.waitForURL(/notice=wallet-leaving/);
    // The wallet that is about to be removed can stop its removal.
    await page.goto(`${service.baseUrl}/account/receipts`);
    expect(await textOf(person)).toMatch(/will be removed on/);
    await page.getByRole('button', { name: /^Keep this wallet/ }).click();
    await person.confirm();
    await page.waitForURL(/notice=wallet-kept/);
    expect(await textOf(person)).not.toMatch(/will be removed on/);
  });

  it('a wallet of somebody else is not added', async () => {
    const [mine, theirs] = [randomWallet(), randomWallet()];
    await signedIn('/account', theirs);
    const person = await signedIn('/account/wallets', mine, [theirs]);
    await person.page.getByRole('button', { name: 'Other Wallet' }).click();
    await person.page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
    await person.page.goto(`${service.baseUrl}/account/wallets`);
    expect((await textOf(person)).replaceAll(' ', '')).not.toContain(theirs.address);
  });

  it('sessions: the other browser is signed out by this one, and this one by itself', async () => {
    const wallet = randomWallet();
    const elsewhere = await signedIn('/account', wallet);
    const person = await signedIn('/account/sessions', wallet);
    expect(await textOf(person)).toMatch(/this browser/);
    await person.page.getByRole('button', { name: 'End all other sessions' }).click();
    await person.page.waitForURL(/notice=others-ended/);
    await elsewhere.page.reload();
    expect(new URL(elsewhere.page.url()).pathname).toBe('/account/sign-in');
    await person.page.getByRole('button', { name: 'Sign out' }).click();
    await person.page.goto(`${service.baseUrl}/account`);
    expect(new URL(person.page.url()).pathname).toBe('/account/sign-in');
  });

  it('a session that was ended here asks for the wallet at the next application too', async () => {
    const person = await visitor();
    const client = await PlainClient.register(service.baseUrl, callback.url);
    await person.authorize(client.authorization('read').url);
    await person.page.goto(`${service.baseUrl}/account`);
    await person.page.getByRole('button', { name: 'Sign out' }).click();
    await person.page.goto(client.authorization('read').url.href);
    await person.page.getByRole('button', { name: 'Key Wallet' }).waitFor();
    expect(await person.page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
  });

  it('activity: what happened, in words, and nothing of others', async () => {
    const [mine, theirs] = [randomWallet(), randomWallet()];
    const other = await visitor(theirs);
    const client = await PlainClient.register(service.baseUrl, callback.url, { client_name: 'App of others' });
    await other.authorize(client.authorization('read').url);
    const person = await signedIn('/account/activity', mine);
    const text = await textOf(person);
    expect(text).toMatch(/Signed in/);
    expect(text).not.toContain('App of others');
    expect(text.replaceAll(' ', '')).not.toContain(theirs.address);
  });
});
