import type { Browser } from 'playwright-core';
import { BROWSER_NOTE, describeWithBrowser, launchBrowser } from '../../support/oauth/browser.js';
import { BrowserPerson } from './browser-person.js';
import { tokensOf } from '../../support/oauth/connected-client.js';
import { ClientCallback, PlainClient } from '../../support/oauth/oauth-client.js';
import { OAuthService } from '../../support/oauth/oauth-service.js';
import { MarketFixture, type OwnTask, type Person as MarketPerson } from '../../support/e2e/market-fixture.js';

const EVERY_SCOPE = ['read', 'buyer', 'worker', 'agent-owner'];
const USDC = 1_000_000n;

let fixture: MarketFixture;
let service: OAuthService;
let callback: ClientCallback;
let client: PlainClient;
let browser: Browser;
let buyer: MarketPerson;
const people: BrowserPerson[] = [];

describeWithBrowser(`deciding in the browser${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    [fixture, service, callback] = await Promise.all([
      MarketFixture.open(),
      OAuthService.start(),
      ClientCallback.listen(),
    ]);
    buyer = await fixture.person('Conny');
    client = await PlainClient.register(service.baseUrl, callback.url, { client_name: 'Deciding client' });
    browser = await launchBrowser();
  });

  afterEach(async () => {
    await Promise.all(people.splice(0).map((person) => person.close()));
  });

  afterAll(async () => {
    await browser?.close();
    await callback?.close();
    await service?.stop();
    await fixture?.close();
  });

  async function visitor(who: MarketPerson = buyer): Promise<BrowserPerson> {
    const mayVisit = [callback.origin];
    const person = await BrowserPerson.open(browser, service.baseUrl, who.participant.wallet, { mayVisit });
    people.push(person);
    return person;
  }

  const textOf = async ({ page }: BrowserPerson): Promise<string> =>
    (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ');

  it('says who asks, where it leads, in whose name, for what, and that money never moves without the wallet', async () => {
    const person = await visitor();
    await person.page.goto(client.authorization(EVERY_SCOPE.join(' ')).url.href);
    await person.signIn();
    const text = await textOf(person);
    expect(text).toContain('Deciding client');
    expect(text).toMatch(/nobody has verified/i);
    expect(text).toMatch(/program on this computer/i);
    expect(text.replaceAll(' ', '')).toContain(buyer.participant.wallet.address);
    expect(text).toContain('It can never sign or move money. You confirm every action in your wallet.');
    expect(text).toMatch(/after \d+ days/);
    const boxes = person.page.getByRole('checkbox');
    expect(await boxes.count()).toBe(4);
    for (const box of await boxes.all()) expect(await box.isChecked()).toBe(true);
    expect(await person.page.getByRole('link', { name: 'Connected apps' }).count()).toBe(1);
    expect(person.window.wrongs).toEqual([]);
  });

  it('Allow arrives at the client, with code, state and issuer and nothing else', async () => {
    const person = await visitor();
    const asked = client.authorization('read');
    const arrived = await person.authorize(asked.url);
    expect(arrived.href.split('?')[0]).toBe(callback.url);
    expect(Object.fromEntries(arrived.searchParams)).toEqual({
      code: expect.stringMatching(/\S{20,}/),
      state: asked.state,
      iss: service.baseUrl,
    });
    expect(callback.last.href).toBe(arrived.href);
    // Going back shows no page that could be submitted a second time with effect.
    await person.page.goBack();
    expect(new URL(person.page.url()).origin).toBe(new URL(service.baseUrl).origin);
    expect(person.window.watch.faults).toEqual([]);
    const { access_token: token } = tokensOf(await client.redeem(arrived, asked));
    expect((await service.call('/v1/tasks', `Bearer ${token}`)).status).toBe(200);
  });

  it.each(['the sign-in page', 'the consent page'])(
    'Cancel on %s arrives at the client with access_denied',
    async (where) => {
      const person = await visitor();
      const asked = client.authorization('read');
      await person.page.goto(asked.url.href);
      if (where === 'the consent page') await person.signIn();
      await person.page.getByRole('button', { name: /cancel/i }).click();
      await person.page.waitForURL((url) => url.origin === callback.origin);
      const { searchParams } = new URL(person.page.url());
      expect([
        searchParams.get('error'),
        searchParams.get('state'),
        searchParams.get('iss'),
        searchParams.get('code'),
      ]).toEqual(['access_denied', asked.state, service.baseUrl, null]);
      expect(person.window.wrongs).toEqual([]);
    },
  );

  it('the application gets what is left ticked, and no more by asking again', async () => {
    const person = await visitor();
    const asked = client.authorization(EVERY_SCOPE.join(' '));
    const arrived = await person.authorize(asked.url, { scopes: ['read', 'worker'] });
    const tokens = tokensOf(await client.redeem(arrived, asked));
    expect(tokens.scope.split(' ').toSorted()).toEqual(['read', 'worker']);
    const prepare = (token: string): Promise<{ status: number; headers: Headers; body: any }> =>
      service.call('/v1/task-creation-intents', `Bearer ${token}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
        body: '{}',
      });
    const refused = await prepare(tokens.access_token);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'insufficient_scope']);
    const wider = await client.refresh(tokens.refresh_token, { scope: EVERY_SCOPE.join(' ') });
    expect([wider.status, wider.body.error]).toEqual([400, 'invalid_scope']);
  });

  it('nothing ticked: the page says what is missing, and the person goes on', async () => {
    const person = await visitor();
    const asked = client.authorization('read buyer');
    await person.page.goto(asked.url.href);
    await person.signIn();
    await person.decide({ scopes: [] });
    await person.page.getByRole('button', { name: 'Allow' }).click();
    await person.page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
    const arrived = await person.allow({ scopes: ['read'] });
    expect(tokensOf(await client.redeem(arrived, asked)).scope).toBe('read');
  });

  it.each(['-1', '1e3', '12,5', '0.0000001', 'a lot'])('a cap of "%s" is refused at its field', async (cap) => {
    const person = await visitor();
    await person.page.goto(client.authorization('buyer').url.href);
    await person.signIn();
    await person.decide({ fundingCap: cap });
    await person.page.getByRole('button', { name: 'Allow' }).click();
    const field = person.page.locator('input[name=funding_cap]');
    await person.page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.inputValue()).toBe(cap);
  });

  describe('a cap', () => {
    let task: OwnTask;

    beforeAll(async () => {
      const worker = await fixture.person('Wanda', { Counter: ['counting'] });
      task = await fixture.task(buyer);
      const offer = await fixture.quote(task, worker, { price: 100n * USDC });
      await task.hiring.select(offer);
    });

    const fund = (token: string): Promise<{ status: number; headers: Headers; body: any }> =>
      service.call(`/v1/tasks/${task.id}/funding-intents`, `Bearer ${token}`, {
        method: 'POST',
        headers: { 'Idempotency-Key': crypto.randomUUID() },
      });
    const tokenWith = async (fundingCap?: string): Promise<string> => {
      const person = await visitor();
      const asked = client.authorization('read buyer');
      const arrived = await person.authorize(asked.url, fundingCap === undefined ? {} : { fundingCap });
      return tokensOf(await client.redeem(arrived, asked)).access_token;
    };

    it('below the price: the funding is not prepared, and the refusal says the cap', async () => {
      const { status, body } = await fund(await tokenWith('99.999999'));
      expect([status, body.error.code]).toEqual([403, 'funding_cap_exceeded']);
      expect(JSON.stringify(body.error)).toContain('99.999999');
      expect(body.error.suggestion).toMatch(/\S/);
    });

    it.each([
      ['equal to the price', '100'],
      ['none', undefined],
    ])('%s: the funding is prepared', async (_name, cap) => {
      const { status, body } = await fund(await tokenWith(cap));
      expect([status, body.kind]).toEqual([200, 'fund_task']);
    });
  });

  it('the next application finds the person signed in, asks all the same, and offers another wallet', async () => {
    const person = await visitor();
    await person.authorize(client.authorization('read').url);
    await person.page.goto(client.authorization('read').url.href);
    // No new signature is needed, but the decision is asked again.
    await person.page.getByRole('button', { name: 'Allow' }).waitFor();
    await person.page.getByRole('link', { name: /different wallet/i }).click();
    await person.page.getByRole('button', { name: 'Key Wallet' }).waitFor();
    expect(person.window.wrongs).toEqual([]);
  });

  it('prompt=login asks for the wallet although the person is signed in', async () => {
    const person = await visitor();
    await person.authorize(client.authorization('read').url);
    await person.page.goto(client.authorization('read', { prompt: 'login' }).url.href);
    await person.page.getByRole('button', { name: 'Key Wallet' }).waitFor();
    expect(await person.page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
  });

  it('an unknown application, or one with a foreign redirect, stays at a page of ours and leads nowhere', async () => {
    const person = await visitor();
    const foreign = { redirect_uri: `${callback.origin}/elsewhere` };
    for (const own of [foreign, { client_id: 'unknown' }]) {
      const answer = await person.page.goto(client.authorization('read', own).url.href);
      expect(answer!.status()).toBe(400);
      expect(new URL(person.page.url()).origin).toBe(new URL(service.baseUrl).origin);
      expect(await person.page.locator('h1').count()).toBe(1);
    }
    expect(person.window.watch.strayRequests).toEqual([]);
    expect(person.window.watch.violations).toEqual([]);
  });
});
