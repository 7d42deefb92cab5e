import { gzipSync } from 'node:zlib';
import { type Answer, AttackFixture, CALLBACK, toldClient, withoutRandom } from './attack-fixture.js';
import { shown } from '../../support/oauth/person.js';

let fixture: AttackFixture;

beforeAll(async () => {
  fixture = await AttackFixture.start();
});

afterAll(() => fixture?.close());

/** Expects a clear refusal: no server error, and nothing about the inside of the service. */
function expectClear({ status, text }: Answer): void {
  expect(status).toBeGreaterThanOrEqual(300);
  expect(status).toBeLessThan(500);
  expect(withoutRandom(text)).not.toMatch(/evil|node_modules|\bat \w+ \(|postgres|SELECT|invalid byte/i);
}

const NAMES = [
  'state',
  'nonce',
  'scope',
  'login_hint',
  'ui_locales',
  'acr_values',
  'display',
  'id_token_hint',
  'prompt',
];

describe('what no database and no header can hold', () => {
  it.each([...NAMES, 'client_id', 'redirect_uri', 'resource', 'code_challenge', 'response_mode', 'max_age', 'evil'])(
    'a NUL in %s of an authorization request is no fault',
    async (name) => {
      const { url } = fixture.client.authorization('read', { [name]: `read\u0000other` });
      for (const answer of [
        await fixture.unharmed(() => fixture.send(url, { headers: { Accept: 'text/html' } })),
        await fixture.unharmed(() => fixture.form('/oauth/par', url.search.slice(1))),
      ]) {
        if (answer.status !== 201) expectClear(answer);
      }
    },
  );

  it.each([
    'grant_type',
    'code',
    'refresh_token',
    'client_id',
    'scope',
    'resource',
    'code_verifier',
    'client_secret',
    'x',
  ])('a NUL in %s of a token request is no fault', async (name) => {
    const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id: fixture.client.clientId };
    expectClear(await fixture.unharmed(() => fixture.form('/oauth/token', { ...form, [name]: 'a\u0000evil' })));
  });

  it('a NUL in a token is no fault where tokens are revoked, inspected or used', async () => {
    const { clientId } = fixture.client;
    for (const path of ['/oauth/revoke', '/oauth/introspect']) {
      const answer = await fixture.unharmed(() => fixture.form(path, { token: 'a\u0000b', client_id: clientId }));
      expect(answer.status).toBeLessThan(500);
    }
  });

  const good = { client_name: 'App', redirect_uris: [CALLBACK] };
  it.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['a NUL in its scope', JSON.stringify({ ...good, scope: 'read\u0000' })],
    ['a NUL in its name', JSON.stringify({ ...good, client_name: 'A\u0000pp' })],
    ['a NUL in a redirect', JSON.stringify({ ...good, redirect_uris: [`${CALLBACK}\u0000`] })],
    ['a NUL in a key', JSON.stringify({ ...good, jwks: { keys: [{ kty: 'OKP\u0000' }] } })],
    ['a lone surrogate', `{"client_name":"A\\ud800","redirect_uris":["${CALLBACK}"]}`],
    ['a prototype', `{"__proto__":{"gateway":true},"client_name":"App","redirect_uris":["${CALLBACK}"]}`],
    ['a constructor', `{"constructor":{"prototype":{"gateway":true}},"redirect_uris":["${CALLBACK}"]}`],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['5,000 levels', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
  ])('a registration with %s is no fault', async (_, body) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fixture.send('/oauth/register', { method: 'POST', headers, body });
    expect([201, 400]).toContain(answer.status);
    expect(answer.text).not.toMatch(/node_modules|\bat \w+ \(|"gateway":true/);
  });

  it('a NUL in a field of the pages is no fault', async () => {
    const person = fixture.person();
    const page = shown(await person.open(fixture.client.authorization('read').url));
    const strange = shown(await person.submit(page, page.form('/challenge'), { address: '0x\u0000' }));
    expect(strange.status).toBe(400);
    const message = await person.challenge(page);
    const refused = shown(await person.answer(message, '0x00\u0000', { challenge_id: 'chal_\u0000' }));
    expect(refused.status).toBe(400);
    const consent = shown(await person.signIn(message));
    const cap = shown(await person.allow(consent, { scopes: ['read\u0000'] }));
    expect(cap.status).toBe(400);
  });
});

describe('what is too much', () => {
  it.each(['/oauth/token', '/oauth/par', '/oauth/revoke', '/oauth/introspect', '/oauth/register', '/oauth/authorize'])(
    'a body of 1 MiB to %s is refused',
    async (path) => {
      const json = path === '/oauth/register';
      const big = 'a'.repeat(1_048_576);
      const answer = await fixture.unharmed(() =>
        fixture.send(path, {
          method: 'POST',
          headers: { 'Content-Type': json ? 'application/json' : 'application/x-www-form-urlencoded' },
          body: json ? JSON.stringify({ client_name: big }) : `client_id=${fixture.client.clientId}&state=${big}`,
        }),
      );
      expectClear(answer);
    },
  );

  it('a body that unpacks to much more is not unpacked', async () => {
    const body = gzipSync(`grant_type=refresh_token&client_id=x&refresh_token=${'a'.repeat(10_000_000)}`);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Encoding': 'gzip' };
    expectClear(await fixture.unharmed(() => fixture.send('/oauth/token', { method: 'POST', headers, body })));
  });

  it('ten thousand parameters, and one of 8,000 letters, are answered', async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `p${i}=1`).join('&');
    expectClear(await fixture.unharmed(() => fixture.form('/oauth/token', many)));
    const { url } = fixture.client.authorization('read', { state: 's'.repeat(7_000) });
    const answer = await fixture.send(url);
    expect([303, 414, 431]).toContain(answer.status);
  });
});

describe('what is never silent', () => {
  it('an application that was allowed before is not allowed again without being asked (prompt=none)', async () => {
    const person = fixture.person();
    await person.authorize(fixture.client.authorization('read').url);
    const { url } = fixture.client.authorization('read', { prompt: 'none' });
    const response = await fixture.unharmed(() => person.request(url));
    const told = new URL(response.headers.get('Location') ?? '').searchParams;
    expect([told.get('error'), told.has('code')]).toEqual(['interaction_required', false]);
  });

  it.each([
    ['another account by a hint', { id_token_hint: 'e30.e30.x' }],
    ['another account by its name', { login_hint: 'acct_somebody' }],
    ['claims', { claims: '{"id_token":{"sub":{"value":"acct_somebody"}}}' }],
    ['another prompt', { prompt: 'create' }],
    ['two prompts that exclude each other', { prompt: 'none login' }],
  ])('asking for %s gives no code and nobody else’s account', async (_, own) => {
    const person = fixture.person();
    await person.signInToAccount();
    const { url } = fixture.client.authorization('read', own);
    const response = await fixture.unharmed(() => person.request(url));
    expect([303, 400]).toContain(response.status);
    expect(response.headers.get('Location') ?? '').not.toContain('code=');
  });
});

describe('the paths of the authorization server', () => {
  it.each([
    '/oauth/authorize/%0d%0aSet-Cookie:%20evil=1',
    '/oauth/authorize/..%2f..%2fv1%2ftasks',
    '/oauth/authorize/%00',
    '/oauth/authorize/%ff',
    `/oauth/authorize/${'x'.repeat(3_000)}`,
    '/oauth/interaction/%ff/consent',
    '/oauth/authorize;jsessionid=evil',
    '/oauth/authorize%2f',
    '/.well-known/oauth-authorization-server/evil',
    '/.well-known/openid-configuration/..%2f',
  ])('%s is refused and writes no header', async (path) => {
    const answer = await fixture.unharmed(() => fixture.send(path, { headers: { Accept: 'text/html' } }));
    expect([400, 404]).toContain(answer.status);
    expectClear(answer);
    expect(answer.headers.getSetCookie().join()).not.toContain('evil');
  });

  it.each(['TRACE', 'PUT', 'DELETE', 'PATCH'])(
    '%s at no endpoint does anything, nor under another name',
    async (method) => {
      for (const path of ['/oauth/token', '/oauth/authorize', '/oauth/revoke']) {
        if (method !== 'TRACE') {
          const answer = await fixture.unharmed(() => fixture.send(path, { method }));
          expect([path, answer.status]).toEqual([path, 405]);
        }
        const hidden = await fixture.unharmed(() =>
          fixture.send(path, { headers: { 'X-HTTP-Method-Override': 'POST', 'X-Method-Override': method } }),
        );
        expect(hidden.status).toBeGreaterThanOrEqual(400);
      }
    },
  );

  it('say nothing of what runs behind them', async () => {
    for (const path of [
      '/oauth/token',
      '/oauth/authorize',
      '/oauth/jwks',
      '/oauth/interaction/x',
      '/account/sign-in',
    ]) {
      const { headers } = await fixture.send(path);
      for (const name of ['X-Powered-By', 'Server', 'Via']) expect([path, headers.get(name)]).toEqual([path, null]);
    }
  });

  it('an error is told to the application by the mode of a code, not in a fragment that scripts read, unless it asked', async () => {
    const { url } = fixture.client.authorization('read', { prompt: 'none' });
    const answer = await fixture.send(url);
    expect([answer.location?.hash, toldClient(answer)?.get('error')]).toEqual(['', 'login_required']);
  });
});
