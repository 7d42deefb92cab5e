import { randomUUID } from 'node:crypto';
import { AccountsService } from '../../../src/modules/accounts/accounts.service.js';
import { ApiKeysService } from '../../../src/modules/credentials/api-keys/api-keys.service.js';
import { REFERENCE_CLIENT_ID } from '../../../src/modules/oauth/protocol/reference-client.js';
import { OAuthGrantEntity } from '../../../src/modules/oauth/storage/oauth-grant.entity.js';
import { BrowserSessions } from '../../../src/modules/accounts/sessions/browser-sessions.js';
import { SignInSweeper } from '../../../src/modules/sign-in/sign-in.sweeper.js';
import { AccountSite } from '../../support/oauth/account-site.js';
import type { HtmlPage } from '../../support/oauth/html-page.js';
import { ListeningService } from '../../support/listening-service.js';
import { type FormValues, Person, shown } from '../../support/oauth/person.js';
import { randomWallet } from '../../support/random-wallet.js';

const CLIENT = 'https://assistant.example/client.json';

let site: AccountSite;
let oauth: ListeningService;

beforeAll(async () => {
  site = await AccountSite.start({ chain: true });
  oauth = site.oauth;
});
afterAll(() => site?.close());

describe('signing in', () => {
  it('is asked of whoever opens a page or sends a form without a session', async () => {
    const pages = ['', '/apps', '/keys', '/wallets', '/sessions', '/receipts', '/receipts/rcpt_1', '/activity'].concat(
      ['', '/new', '/whe_1', '/whe_1/change', '/whe_1/delete', '/whe_1/attempts/wha_1'].map(
        (path) => `/webhooks${path}`,
      ),
    );
    const answers = await Promise.all(pages.map((page) => site.call(`/account${page}`, { Accept: 'text/html' })));
    expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
      pages.map(() => [303, '/account/sign-in']),
    );
    const sent = await fetch(`${oauth.url}/account/keys`, { method: 'POST', redirect: 'manual' });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '/account/sign-in']);
  });

  it('cannot be done by an API key', async () => {
    const { id } = await oauth.account('key holder');
    const { secret } = await oauth.get(ApiKeysService).create(id, { scope: 'read', name: 'a key' });
    const answer = await site.call('/account/keys', { 'X-Api-Key': secret, Accept: 'text/html' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account/sign-in']);
  });

  it('with a wallet makes an account, opens it, and lists nothing of anyone else', async () => {
    const { person, accountId } = await site.signedIn();
    const page = await site.open(person, '/account');
    expect(page.text).toContain(accountId);
    expect(page.text).toContain('No connected apps');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect((await site.open(person, '/account/sign-in')).url.pathname).toBe('/account');
  });

  it('shows an address that is none and a signature that is wrong at their fields', async () => {
    const person = new Person(oauth.url, randomWallet());
    const page = await site.open(person, '/account/sign-in');
    const refused = shown(await person.submit(page, page.form('/challenge'), { address: 'not an address' }));
    expect([refused.status, refused.html]).toEqual([
      400,
      expect.stringMatching(/id="address"[^>]*aria-invalid="true"/),
    ]);
    const asked = await person.challenge(refused);
    const other = await randomWallet().signMessage(asked.message);
    const wrong = shown(await person.answer(asked, other));
    expect([wrong.status, wrong.html]).toEqual([400, expect.stringContaining('role="alert"')]);
    expect((await site.open(person, '/account')).url.pathname).toBe('/account/sign-in');
  });

  it('gives the message as JSON to the script of the page', async () => {
    const person = new Person(oauth.url, randomWallet());
    const form = (await site.open(person, '/account/sign-in')).form('/challenge');
    const token = form.fields.find(({ name }) => name === 'form_token')!.value;
    const answer = await person.request(form.action, {
      method: 'POST',
      body: new URLSearchParams({ form_token: token, address: person.wallet.address }),
      headers: { Accept: 'application/json', Origin: oauth.url },
    });
    expect(await answer.json()).toEqual({
      challenge_id: expect.stringMatching(/^chal_/),
      message: expect.stringContaining(person.wallet.address),
      expires_at: expect.stringMatching(/Z$/),
    });
  });

  it('again ends the session that the browser had before', async () => {
    const { person, accountId } = await site.signedIn();
    const before = await oauth.get(BrowserSessions).list(accountId);
    const page = await site.open(new Person(oauth.url, person.wallet, person.jar), '/account');
    expect(page.status).toBe(200);
    const elsewhere = new Person(oauth.url, person.wallet);
    await elsewhere.signInToAccount();
    expect(await oauth.get(BrowserSessions).list(accountId)).toHaveLength(2);
    await site.send(elsewhere, '/account/sessions', '/sign-out');
    expect((await oauth.get(BrowserSessions).list(accountId)).map(({ id }) => id)).toEqual([before[0]!.id]);
  });

  it('ends for a suspended account at once, and its forms do nothing', async () => {
    const { person, accountId } = await site.signedIn();
    const page = await site.open(person, '/account/keys');
    await oauth.get(AccountsService).suspend(accountId);
    expect((await site.open(person, '/account')).url.pathname).toBe('/account/sign-in');
    const sent = shown(await person.submit(page, page.form('/account/keys'), { name: 'too late' }));
    expect(sent.url.pathname).toBe('/account/sign-in');
    expect(await site.keysOf(accountId)).toEqual([]);
  });
});

describe('forms', () => {
  const isRefused = async (person: Person, accountId: string, change: (page: HtmlPage) => Promise<Response>) => {
    const answer = await change(await site.open(person, '/account/keys'));
    expect(answer.status).toBe(400);
    expect(await site.keysOf(accountId)).toEqual([]);
  };
  const body = (page: HtmlPage, ending = '/account/keys') =>
    new URLSearchParams(page.form(ending).fields.map(({ name, value }) => [name, name === 'name' ? 'a name' : value]));

  it.each([
    ['a page of another site', { Origin: 'https://evil.example' }],
    ['a page without origin', { Origin: 'null' }],
    ['a program that names none', {}],
  ])('sent by %s are refused', async (_, headers) => {
    const { person, accountId } = await site.signedIn();
    await isRefused(person, accountId, (page) =>
      person.request('/account/keys', { method: 'POST', body: body(page), headers }),
    );
  });

  it('without token, with one of another form, or of another session are refused', async () => {
    const { person, accountId } = await site.signedIn();
    const headers = { Origin: oauth.url };
    const post = (sent: URLSearchParams) => person.request('/account/keys', { method: 'POST', body: sent, headers });
    await isRefused(person, accountId, (page) => {
      const sent = body(page);
      sent.delete('form_token');
      return post(sent);
    });
    await isRefused(person, accountId, (page) => {
      const sent = body(page);
      sent.set('form_token', page.form('/sign-out').fields[0]!.value);
      return post(sent);
    });
    const { person: other } = await site.signedIn();
    const foreign = body(await site.open(other, '/account/keys'));
    await isRefused(person, accountId, () => post(foreign));
  });

  it('never show words that come with the address', async () => {
    const { person } = await site.signedIn();
    const page = await site.open(person, '/account/keys?notice=Send+your+phrase&notice=x');
    expect(page.text).not.toContain('phrase');
    expect((await site.open(person, '/account/keys?notice=constructor')).html).not.toContain('role="status"');
  });
});

describe('connected apps', () => {
  let nonce = 0;

  async function allow(accountId: string, change: Partial<OAuthGrantEntity> = {}) {
    const now = Date.now();
    const grant: OAuthGrantEntity = {
      id: randomUUID(),
      accountId,
      clientId: CLIENT,
      clientName: '<b>Helper</b>\u202e',
      clientHost: null,
      scopes: ['read', 'buyer'],
      fundingCap: 250_000_000n,
      createdAt: new Date(now),
      expiresAt: new Date(now + 86_400_000),
      lastUsedAt: null,
      revokedAt: null,
      ...change,
    };
    await oauth.dataSource.getRepository(OAuthGrantEntity).insert(grant);
    return grant.id;
  }

  async function prepared(accountId: string, at: string) {
    const id = `act_${at}_${randomUUID()}`;
    await oauth.rows(
      `INSERT INTO prepared_actions (id, action_id_hash, kind, scope, account_id, client_id, wallet_address, chain_id,
         escrow_address, nonce, request_digest, payload, valid_until, signing_token_hash, signing_token_sealed,
         created_at, expires_at)
       VALUES ($1, $1, 'fund_task', 'buyer', $2, $3, '', 1, '', $5, '', '{}', $4, $1::text::bytea, '', $4, $4)`,
      [id, accountId, CLIENT, at, ++nonce],
    );
  }

  it('are listed with name, standing, scopes in words and cap, and of nobody else', async () => {
    const { person, accountId } = await site.signedIn();
    const { person: stranger } = await site.signedIn();
    await allow(accountId);
    const page = await site.open(person, '/account/apps');
    expect(page.html).toContain('&lt;b&gt;Helper&lt;/b&gt;\\u{202e}');
    expect(page.html).not.toContain('\u202e');
    for (const words of ['unverified name', 'See your tasks', '250.00 USDC', 'Never', 'Nothing yet']) {
      expect(page.text).toContain(words);
    }
    expect((await site.open(stranger, '/account/apps')).text).toContain('No application is connected.');
  });

  it('show the page of this service as such', async () => {
    const { person, accountId } = await site.signedIn();
    await allow(accountId, { clientId: REFERENCE_CLIENT_ID });
    const { text } = await site.open(person, '/account/apps');
    expect(text).toContain('part of this service');
    expect(text).not.toContain('unverified name');
  });

  it('show how much each has prepared for this account, and when last', async () => {
    const { person, accountId } = await site.signedIn();
    const { accountId: strangerId } = await site.signedIn();
    await allow(accountId, { scopes: ['read'], clientHost: 'assistant.example', lastUsedAt: new Date() });
    await prepared(accountId, '2026-11-18T09:00:00Z');
    await prepared(accountId, '2026-11-19T10:30:00Z');
    await prepared(strangerId, '2026-11-20T11:00:00Z');
    const { text } = await site.open(person, '/account/apps');
    expect(text).toContain('2 actions, the last on 19 Nov 2026, 10:30 UTC');
    expect(text).toContain('its document is at assistant.example');
    // No cap is shown for an application that cannot prepare any funding.
    expect(text).not.toContain('USDC');
  });

  it('are not allowed more than the cap of a consent of before there were policies', async () => {
    const { person, accountId } = await site.signedIn();
    await allow(accountId, { fundingCap: 5_000_000n });
    const lower = (values: FormValues) => site.send(person, '/account/apps', '/apps/limits', values);
    expect((await site.open(person, '/account/apps')).form('/apps/limits').fields).toContainEqual(
      expect.objectContaining({ name: 'per_payment', value: '5.00' }),
    );
    for (const wider of ['50', '']) {
      const refused = await lower({ per_payment: wider, per_day: '100' });
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Here limits are only lowered.')]);
      expect(refused.form('/apps/limits').fields).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: 'per_payment', value: wider }),
          expect.objectContaining({ name: 'per_day', value: '100' }),
        ]),
      );
    }
    expect((await lower({ per_day: '100' })).text).toContain('Most per payment 5.00 USDC');
    expect((await lower({ per_payment: '4' })).text).toContain('Most per payment 4.00 USDC');
  });

  it('are revoked by one click, again without harm, and never by a stranger', async () => {
    const { person, accountId } = await site.signedIn();
    const { person: stranger, accountId: strangerId } = await site.signedIn();
    const grantId = await allow(accountId);
    await allow(strangerId, { clientId: 'another' });
    const isLive = async () =>
      (await oauth.rows('SELECT 1 FROM oauth_grants WHERE id = $1 AND revoked_at IS NULL', [grantId])).length === 1;
    await site.send(stranger, '/account/apps', '/apps/revoke', { client_id: CLIENT });
    expect(await isLive()).toBe(true);
    const page = await site.open(person, '/account/apps');
    const revoked = shown(await person.submit(page, page.form('/apps/revoke')));
    expect(revoked.text).toContain('The application is disconnected.');
    expect(revoked.text).toContain('No application is connected.');
    expect(await isLive()).toBe(false);
    expect(shown(await person.submit(page, page.form('/apps/revoke'))).status).toBe(200);
    expect((await site.eventsOf(accountId)).filter((event) => event === 'grant_revoked')).toHaveLength(1);
    expect((await site.open(person, '/account/activity')).text).toContain(
      'The access of <b>Helper</b>\\u{202e} was revoked.',
    );
  });
});

describe('wallets', () => {
  const link = (person: Person, wallet: Person['wallet']) => site.link(person, wallet);

  it('are added by two signatures, sign in then, take over signing, and are removed a day after', async () => {
    const { person, accountId } = await site.signedIn();
    const second = randomWallet();
    const added = await link(person, second);
    expect([added.status, added.text]).toEqual([200, expect.stringContaining('The wallet is added.')]);
    const elsewhere = new Person(oauth.url, second);
    await elsewhere.signInToAccount();
    expect((await site.open(elsewhere, '/account')).text).toContain(accountId);

    expect((await site.confirm(person, '/account/wallets', '/wallets/use')).text).toContain(
      'The signing wallet is changed.',
    );
    expect((await oauth.get(AccountsService).find(accountId)).walletAddress).toBe(second.address);
    const leaving = await site.confirm(elsewhere, '/account/wallets', '/wallets/unlink');
    expect(leaving.text).toContain('will be removed in 24 hours');
    await oauth.rows(`UPDATE account_wallets SET unlink_at = now() WHERE unlink_at IS NOT NULL AND account_id = $1`, [
      accountId,
    ]);
    // The browser in which the removed wallet signed in is signed out.
    expect((await site.open(person, '/account')).url.pathname).toBe('/account/sign-in');
    await oauth.get(SignInSweeper).sweep();
    expect(await site.eventsOf(accountId)).toEqual(
      expect.arrayContaining(['wallet_unlink_requested', 'wallet_unlinked', 'signing_wallet_changed']),
    );
    await oauth.get(AccountsService).suspend(accountId);
    await oauth.get(AccountsService).resume(accountId);
    await elsewhere.signInToAccount();
    const { text } = await site.open(elsewhere, '/account/activity');
    expect(text).toMatch(/A wallet was removed: [^.]+\. as asked for 24 hours before/);
    expect(text).toMatch(/A session was ended\. as asked for 24 hours before/);
    expect(text).not.toMatch(/A wallet was removed: [^.]+\. by the operator/);
    expect(text).toContain('The suspension of the account was ended. by the operator');
  });

  it('of another account are not added, nor one whose signature is another\u2019s', async () => {
    const { person, accountId } = await site.signedIn();
    const { person: stranger } = await site.signedIn();
    const taken = await link(person, stranger.wallet);
    expect([taken.status, taken.text]).toEqual([409, expect.stringContaining('belongs to another account')]);
    const { address } = randomWallet();
    const forged = await link(person, { address, signMessage: (text) => person.wallet.signMessage(text) });
    expect([forged.status, forged.html]).toEqual([
      400,
      expect.stringMatching(/role="alert"[^>]*>The signature was not/),
    ]);
    const rows = await oauth.rows('SELECT 1 FROM account_wallets WHERE account_id = $1', [accountId]);
    expect(rows).toHaveLength(1);
  });

  it('cannot be added to an account by a message that was made to sign in, or in another session', async () => {
    const { person, accountId } = await site.signedIn();
    const second = randomWallet();
    const visitor = new Person(oauth.url, second, person.jar.copy());
    visitor.jar.forget(/session/);
    const toSignIn = await visitor.challenge(await site.open(visitor, '/account/sign-in'));
    const { person: other } = await site.signedIn();
    const ofOther = await other.challenge(await site.open(other, '/account/wallets'), second.address);
    for (const page of [toSignIn, ofOther]) {
      const challenge = page.html.match(/chal_[0-9a-z]+/)![0];
      const mine = await person.challenge(await site.open(person, '/account/wallets'), second.address);
      const signature = await second.signMessage(page.message);
      const answer = shown(await person.answer(mine, signature, { challenge_id: challenge }));
      expect(answer.status).toBe(400);
    }
    const rows = await oauth.rows('SELECT 1 FROM account_wallets WHERE account_id = $1', [accountId]);
    expect(rows).toHaveLength(1);
  });

  it('that sign, or that another account has, cannot be removed or used by what a form is made to say', async () => {
    const { person, accountId } = await site.signedIn();
    await link(person, randomWallet());
    const { person: stranger } = await site.signedIn();
    const { wallet } = person;
    const post = (deed: string, address: string) => site.send(person, '/account/wallets', deed, { address });
    expect((await post('/wallets/unlink', wallet.address)).status).toBe(409);
    expect((await post('/wallets/unlink', stranger.wallet.address)).status).toBe(404);
    expect((await post('/wallets/use', stranger.wallet.address)).status).toBe(404);
    expect((await oauth.get(AccountsService).find(accountId)).walletAddress).toBe(wallet.address);
  });
});

describe('sessions', () => {
  it('are listed with the present one marked, and ended one by one or all others at once', async () => {
    const { person, accountId } = await site.signedIn();
    const others = [new Person(oauth.url, person.wallet), new Person(oauth.url, person.wallet)];
    for (const other of others) await other.signInToAccount();
    const page = await site.open(person, '/account/sessions');
    expect(page.html.match(/this browser<\/span>/g)).toHaveLength(1);
    const sessions = await oauth.get(BrowserSessions).list(accountId);
    expect((await site.send(person, '/account/sessions', `${sessions[0]!.id}/end`)).text).toContain(
      'The session is ended.',
    );
    expect((await site.open(others[1]!, '/account')).url.pathname).toBe('/account/sign-in');
    expect((await site.send(person, '/account/sessions', '/end-others')).text).toContain(
      'All other sessions are ended.',
    );
    expect((await site.open(others[0]!, '/account')).url.pathname).toBe('/account/sign-in');
    const mine = await oauth.get(BrowserSessions).list(accountId);
    expect(mine).toHaveLength(1);
    const gone = await site.send(person, '/account/sessions', `${mine[0]!.id}/end`);
    expect([gone.url.pathname, gone.text]).toEqual([
      '/account/sign-in',
      expect.stringContaining('You are signed out.'),
    ]);
  });

  it('of somebody else cannot be ended', async () => {
    const { person, accountId } = await site.signedIn();
    const { person: stranger, accountId: strangerId } = await site.signedIn();
    const [own] = await oauth.get(BrowserSessions).list(accountId);
    const [foreign] = await oauth.get(BrowserSessions).list(strangerId);
    const page = await site.open(person, '/account/sessions');
    const form = page.form(`${own!.id}/end`);
    const action = new URL(form.action.href.replace(own!.id, foreign!.id));
    expect(shown(await person.submit(page, { ...form, action })).status).toBe(404);
    expect((await site.open(stranger, '/account')).url.pathname).toBe('/account');
  });
});

describe('activity', () => {
  it('tells in words what happened to the account, the newest first, and nothing of another', async () => {
    const { person, accountId } = await site.signedIn();
    await site.signedIn();
    await site.confirm(person, '/account/keys', '/create', { name: 'a <key>' });
    const page = await site.open(person, '/account/activity');
    expect(page.html).toContain('An API key was created: <bdi>a &lt;key&gt;</bdi>');
    expect(page.text).toContain('Signed in with 0x');
    expect(page.html.match(/<tr><td>/g)).toHaveLength((await site.eventsOf(accountId)).length);
    expect(page.html.indexOf('An API key was')).toBeLessThan(page.html.indexOf('Signed in with'));
  });

  it('shows the newest hundred', async () => {
    const { person, accountId } = await site.signedIn();
    await oauth.rows(
      `INSERT INTO audit_events (id, occurred_at, event, account_id, detail)
       SELECT 'audit_00' || i, now(), 'a_new_event', $1, '{}' FROM generate_series(1, 150) AS i`,
      [accountId],
    );
    const page = await site.open(person, '/account/activity');
    expect(page.html.match(/<tr><td>/g)).toHaveLength(100);
    expect(page.text).toContain('a new event');
  });
});

describe('behind a gateway that strips a path', () => {
  it('every link, form and redirect has the path of BASE_URL', async () => {
    const behind = await ListeningService.listen({ prefix: '/market' });
    try {
      const answer = await fetch(`${behind.url}/account`, { redirect: 'manual', headers: { Accept: 'text/html' } });
      expect(answer.headers.get('location')).toBe('/market/account/sign-in');
      const page = await (await fetch(`${behind.url}/account/sign-in`, { headers: { Accept: 'text/html' } })).text();
      const paths = [...page.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, path]) => path!);
      expect(paths.length).toBeGreaterThan(2);
      expect(paths.filter((path) => !path.startsWith('/market/'))).toEqual([]);
    } finally {
      await behind.close();
    }
  });
});
