import pg from 'pg';
import { NO_LIMITS } from '../../../src/modules/credentials/spending/spend-limits.js';
import { SpendPolicies } from '../../../src/modules/credentials/spending/spend-policies.js';
import { newId } from '../../../libs/kernel/src/index.js';
import { ApiKeysService } from '../../../src/modules/credentials/api-keys/api-keys.service.js';
import { REFERENCE_CLIENT_ID } from '../../../src/modules/oauth/protocol/reference-client.js';
import { OAuthGrantEntity } from '../../../src/modules/oauth/storage/oauth-grant.entity.js';
import { shown } from '../../support/oauth/person.js';
import { randomWallet } from '../../support/random-wallet.js';
import { ask, codeOf, type JsonAnswer, type Principal, SigningFixture } from '../../support/signing-fixture.js';
import type { Person } from '../../support/oauth/person.js';

const AFTER_EXPIRY_MS = 901_000;
const CLIENT = 'https://assistant.example/client.json';

let fixture: SigningFixture;
let ada: Principal;
let bob: Principal;

beforeAll(async () => {
  fixture = await SigningFixture.start();
  ada = await fixture.principal('Ada');
  bob = await fixture.principal('Bob');
});
afterAll(() => fixture?.stop());
afterEach(() => {
  fixture.clock.aheadMs = 0;
});

const renew = (browser: Person, action: any): Promise<JsonAnswer> =>
  ask(browser, `${action.signing_url}/renew`, { body: {} });
const documentOf = async (browser: Person, url: string) => (await ask(browser, `${url}/document`)).body;
const actionsOf = async ({ accountId }: Principal): Promise<number> => {
  const [row] = await fixture.service.rows<{ n: number }>(
    'SELECT count(*)::integer AS n FROM prepared_actions WHERE account_id = $1',
    [accountId],
  );
  return row!.n;
};

/** An action that was open in a browser and has expired. */
async function expired(who = ada, change: object = {}) {
  const action = await fixture.publication(who, change);
  const { browser } = await fixture.open(action);
  fixture.clock.aheadMs += AFTER_EXPIRY_MS;
  return { action, browser };
}

describe('an expired request', () => {
  it('says so, and shows who had it open what it was and how to get a fresh link', async () => {
    const { action, browser } = await expired(ada, { title: 'Forty pages' });
    const page = shown(await browser.open(action.signing_url));
    expect(page.text).toMatch(/This request expired at \d{1,2} \w{3} \d{4}, \d\d:\d\d UTC\. Nothing was signed\./);
    expect(page.text).toContain(action.expires_at.slice(11, 16));
    expect(page.text).toContain('Forty pages');
    expect(page.has('/renew')).toBe(true);
    const closed = shown(await fixture.browser().open(action.signing_url));
    expect(closed.html).not.toContain('Forty');
    expect(closed.has('/claim')).toBe(false);
  });

  it('is renewed once more when its renewal was deleted sooner than itself', async () => {
    const { action, browser } = await expired();
    const { body: first } = await renew(browser, action);
    await fixture.service.rows(
      'DELETE FROM prepared_actions WHERE id = (SELECT renewed_by FROM prepared_actions WHERE id = $1)',
      [action.action_id],
    );
    const page = shown(await browser.open(action.signing_url));
    expect(page.text).not.toContain('newer request');
    expect(page.has('/renew')).toBe(true);
    const { status, body: second } = await renew(browser, action);
    expect([status, second.signing_url === action.signing_url, second.signing_url === first.signing_url]).toEqual([
      200,
      false,
      false,
    ]);
    expect((await documentOf(browser, second.signing_url)).status).toBe('opened');
  });

  it('cannot be opened any more', async () => {
    const action = await fixture.publication(ada);
    fixture.clock.aheadMs = AFTER_EXPIRY_MS;
    const browser = fixture.browser();
    const page = shown(await browser.open(action.signing_url));
    expect(page.text).toContain('This request expired');
    expect(page.forms).toEqual([]);
    const answer = await browser.request(`${action.signing_url}/claim`, {
      method: 'POST',
      body: new URLSearchParams(),
      headers: { Origin: fixture.service.url },
    });
    expect(answer.status).toBe(409);
  });

  it('is prepared again by the same request, and is open where it was renewed', async () => {
    const { action, browser } = await expired(ada, { title: 'Forty pages' });
    const { status, body } = await renew(browser, action);
    expect(status).toBe(200);
    expect(body.signing_url).not.toBe(action.signing_url);
    const document = await documentOf(browser, body.signing_url);
    expect(document.action).toMatchObject({ kind: 'create_task', request_digest: action.request_digest });
    expect(document.action.action_id).not.toBe(action.action_id);
    expect(document.action.nonce).toBe(action.nonce);
    expect(document.request.body).toMatchObject({ title: 'Forty pages' });
    expect(document.requester).toEqual({ kind: 'key', name: "Ada's buyer key" });
    expect(document.status).toBe('opened');
    const old = shown(await browser.open(action.signing_url));
    expect(old.html).toContain(`href="${new URL(body.signing_url).pathname}"`);
  });

  it('is renewed by the form of the page, without a script', async () => {
    const { action, browser } = await expired();
    const page = shown(await browser.open(action.signing_url));
    const fresh = shown(await browser.submit(page, page.form('/renew')));
    expect(fresh.url.pathname).not.toBe(page.url.pathname);
    expect(fresh.html).toContain('id="approval"');
    expect(fresh.has('/decline')).toBe(true);
  });

  it('is renewed by nobody else: not by a stranger, not by who is signed in as someone else', async () => {
    const { action } = await expired();
    const before = await actionsOf(ada);
    const stranger = fixture.browser(randomWallet());
    await stranger.signInToAccount();
    expect(codeOf(await renew(stranger, action))).toBe('claim_required');
    expect(codeOf(await renew(fixture.browser(), action))).toBe('claim_required');
    expect(await actionsOf(ada)).toBe(before);
  });

  it('is renewed by its principal who is signed in', async () => {
    const { action } = await expired();
    const browser = fixture.browser(ada.wallet);
    await browser.signInToAccount();
    const { status, body } = await renew(browser, action);
    expect(status).toBe(200);
    expect((await documentOf(browser, body.signing_url)).status).toBe('prepared');
  });

  it('is renewed once when another renewal is committed while it is looked for', async () => {
    const { action, browser } = await expired();
    const before = await actionsOf(ada);
    const query = Reflect.get(pg.Client.prototype, 'query') as (...sent: unknown[]) => unknown;
    let other: JsonAnswer | undefined;
    const looked = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
      this: pg.Client,
      ...sent: [string | { text?: string }]
    ) {
      const answer = await Reflect.apply(query, this, sent);
      const text = typeof sent[0] === 'string' ? sent[0] : sent[0].text;
      if (text?.includes('RECURSIVE line')) {
        looked.mockRestore();
        other = await renew(browser, action);
      }
      return answer;
    } as never);
    const { status, body } = await renew(browser, action);
    expect([status, body.signing_url]).toEqual([200, other?.body.signing_url]);
    expect(await actionsOf(ada)).toBe(before + 1);
  });

  it('is renewed once, however often and by however many at once it is asked for', async () => {
    const { action, browser } = await expired();
    const before = await actionsOf(ada);
    const answers = await Promise.all(Array.from({ length: 5 }, () => renew(browser, action)));
    answers.push(await renew(browser, action));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.signing_url)).size).toBe(1);
    expect(await actionsOf(ada)).toBe(before + 1);
    const url = answers[0]!.body.signing_url;
    expect(codeOf(await ask(browser, `${url}/renew`, { body: {} }))).toBe('state_conflict');
    fixture.clock.aheadMs += AFTER_EXPIRY_MS;
    const third = (await renew(browser, action)).body.signing_url;
    expect(third).not.toBe(url);
    expect((await renew(browser, { signing_url: url })).body.signing_url).toBe(third);
    expect(await actionsOf(ada)).toBe(before + 2);
  });

  it('takes nothing of what the browser sends along', async () => {
    const { action, browser } = await expired(ada, { title: 'Forty pages' });
    const body = {
      brief: 'Everything',
      budget: { amount: '9999', currency: 'USDC' },
      title: 'Other',
      kind: 'fund_task',
    };
    const answer = await ask(browser, `${action.signing_url}/renew`, { body });
    const document = await documentOf(browser, answer.body.signing_url);
    expect(document.action.kind).toBe('create_task');
    expect(document.action.payload.message.budget).toBe(action.payload.message.budget);
  });

  it('does not take it away from another browser that has the newer one open', async () => {
    const { action, browser: first } = await expired();
    const signedIn = fixture.browser(ada.wallet);
    await signedIn.signInToAccount();
    const { body } = await renew(signedIn, action);
    const { browser: second } = await fixture.open(body);
    expect((await renew(first, action)).body.signing_url).toBe(body.signing_url);
    expect(codeOf(await ask(first, `${body.signing_url}/document`))).toBe('claim_required');
    expect((await ask(second, `${body.signing_url}/document`)).status).toBe(200);
  });
});

describe('in whose name a request is prepared again', () => {
  it('is that of the key that asked for it, which must still be good', async () => {
    const cara = await fixture.principal('Cara');
    const { key, secret } = await fixture.key(cara.accountId, 'buyer', 'a key that ends');
    const action = await fixture.publication({ ...cara, keys: { ...cara.keys, buyer: secret } });
    const { browser } = await fixture.open(action);
    await fixture.service.get(ApiKeysService).revoke(key.id);
    fixture.clock.aheadMs = AFTER_EXPIRY_MS;
    const answer = await renew(browser, action);
    expect([codeOf(answer), answer.body.error.reason]).toEqual([
      'state_conflict',
      'Whoever asked for this cannot ask for it again: their access has ended.',
    ]);
  });

  it('is that of the application, within the cap that holds for it now', async () => {
    const action = await fixture.payment(ada, bob);
    const { browser } = await fixture.open(action);
    const grant = await appAsked(action, 100_000_000n);
    const { body: document } = await ask(browser, `${action.signing_url}/document`);
    expect(document.requester).toEqual({
      kind: 'application',
      name: 'Assistant',
      documentHost: 'assistant.example',
      isKnown: false,
    });
    const { html } = shown(await browser.open(action.signing_url));
    expect(html).toMatch(/<bdi>Assistant<\/bdi> .*its document is at <bdi>assistant\.example<\/bdi>.*unverified name/);
    expect(html).not.toContain('verified by');
    const { manager } = fixture.service.dataSource;
    fixture.clock.aheadMs = AFTER_EXPIRY_MS;
    await manager.update(OAuthGrantEntity, { id: grant }, { fundingCap: 99_999_999n });
    expect(codeOf(await renew(browser, action))).toBe('funding_cap_exceeded');
    await manager.update(OAuthGrantEntity, { id: grant }, { fundingCap: null, scopes: ['read'] });
    expect(codeOf(await renew(browser, action))).toBe('state_conflict');
    await manager.update(OAuthGrantEntity, { id: grant }, { scopes: ['buyer'], revokedAt: new Date() });
    expect(codeOf(await renew(browser, action))).toBe('state_conflict');
    await manager.update(OAuthGrantEntity, { id: grant }, { revokedAt: null });
    const { status, body } = await renew(browser, action);
    expect(status).toBe(200);
    const renewed = (await ask(browser, `${body.signing_url}/document`)).body;
    expect(renewed.requester.kind).toBe('application');
    expect(renewed.action.payload.message.value).toBe(action.payload.message.value);
  });

  it('that is a page of this service is told as such, and needs no warning', async () => {
    const action = await fixture.payment(ada, bob);
    const { browser } = await fixture.open(action);
    const grant = await appAsked(action, 100_000_000n);
    const own = { clientId: REFERENCE_CLIENT_ID, clientHost: null };
    await fixture.service.dataSource.manager.update(OAuthGrantEntity, { id: grant }, own);
    const { body: document } = await ask(browser, `${action.signing_url}/document`);
    expect(document.requester).toEqual({ kind: 'application', name: 'Assistant', isOwn: true });
    const { html } = shown(await browser.open(action.signing_url));
    expect(html).toMatch(/<bdi>Assistant<\/bdi> .*part of this service/);
    expect(html).not.toContain('unverified name');
  });

  it('is held to the spending limits of now, and the page says what is left of them', async () => {
    const action = await fixture.payment(ada, bob);
    const { browser } = await fixture.open(action);
    await appAsked(action, 100_000_000n);
    fixture.clock.aheadMs = AFTER_EXPIRY_MS;
    const policies = fixture.service.get(SpendPolicies);
    const allow = (perDay: bigint) => policies.consent(ada.accountId, CLIENT, { ...NO_LIMITS, perDay });
    await allow(99_999_999n);
    expect(codeOf(await renew(browser, action))).toBe('spend_limit_exceeded');
    await allow(150_000_000n);
    const { status, body } = await renew(browser, action);
    expect(status).toBe(200);
    const { html } = shown(await browser.open(body.signing_url));
    expect(html).toContain('This app may still ask you to pay 50.00 USDC today (UTC).');
  });

  it('is nobody where it is not known who asked', async () => {
    const { action, browser } = await expired();
    await fixture.service.rows('UPDATE prepared_actions SET credential_id = NULL, request = NULL WHERE id = $1', [
      action.action_id,
    ]);
    expect(codeOf(await renew(browser, action))).toBe('state_conflict');
    expect((await ask(browser, `${action.signing_url}/document`)).body.request).toBeNull();
  });
});

/** Makes the action look as if an application had prepared it. */
async function appAsked(action: any, fundingCap: bigint): Promise<string> {
  const id = newId('grant' as any, Date.now());
  const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) };
  await fixture.service.dataSource.manager.insert(OAuthGrantEntity, {
    id,
    accountId: ada.accountId,
    clientId: CLIENT,
    clientName: 'Assistant',
    clientHost: 'assistant.example',
    scopes: ['buyer'],
    fundingCap,
    lastUsedAt: null,
    revokedAt: null,
    ...times,
  });
  await fixture.service.rows('UPDATE prepared_actions SET client_id = $2, credential_id = $3 WHERE id = $1', [
    action.action_id,
    CLIENT,
    id,
  ]);
  return id;
}
