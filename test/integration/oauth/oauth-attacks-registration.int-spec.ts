import { AttackFixture, CALLBACK, expectPage, refusal, toldClient } from './attack-fixture.js';
import { PlainClient } from '../../support/oauth/oauth-client.js';
import { shown } from '../../support/oauth/person.js';

let fixture: AttackFixture;

beforeAll(async () => {
  fixture = await AttackFixture.start();
});

afterAll(() => fixture?.close());

const register = (body: unknown, headers: Record<string, string> = {}) =>
  fixture.send('/oauth/register', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const good = { client_name: 'App', redirect_uris: [CALLBACK] };
const KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

describe('an application that registers itself', () => {
  it.each<[string, object]>([
    ['a secret that signs (client_secret_jwt)', { token_endpoint_auth_method: 'client_secret_jwt' }],
    ['a certificate (tls_client_auth)', { token_endpoint_auth_method: 'tls_client_auth' }],
    ['a certificate of its own', { token_endpoint_auth_method: 'self_signed_tls_client_auth' }],
    ['private_key_jwt without a key', { token_endpoint_auth_method: 'private_key_jwt' }],
    [
      'a private key',
      {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [{ ...KEY, d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI' }] },
      },
    ],
    ['a shared key', { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }],
    ['jwks_uri on this machine', { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://127.0.0.1/jwks' }],
    ['jwks_uri at the metadata service of clouds', { jwks_uri: 'https://169.254.169.254/latest' }],
    ['jwks_uri in IPv6', { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://[::ffff:10.0.0.1]/' }],
    ['the gateway’s right', { gateway: true }],
    ['a weaker profile', { security_profile: 'none' }],
    ['the operator’s mark', { registered_by: 'operator' }],
    ['the client credentials grant', { grant_types: ['client_credentials'] }],
    ['the implicit grant', { grant_types: ['implicit'], response_types: ['id_token'] }],
    ['the password grant', { grant_types: ['password'] }],
    ['a scope that there is not', { scope: 'read admin' }],
    ['200 redirect URIs', { redirect_uris: Array.from({ length: 200 }, (_, i) => `http://127.0.0.1:1/${i}`) }],
    ['a foreign redirect', { redirect_uris: ['https://evil.example/cb'] }],
    ['a foreign redirect beside a good one', { redirect_uris: [CALLBACK, 'https://evil.example/cb'] }],
    ['a redirect by http to another machine', { redirect_uris: ['http://claude.ai/cb'] }],
    ['a redirect to javascript', { redirect_uris: ['javascript:evil()'] }],
    ['a redirect to data', { redirect_uris: ['data:text/html,evil'] }],
    ['a redirect with a user', { redirect_uris: ['https://claude.ai@evil.example/cb'] }],
    ['a redirect with a fragment', { redirect_uris: ['https://claude.ai/cb#evil'] }],
    ['a redirect with a wildcard', { redirect_uris: ['https://*.claude.ai/cb'] }],
    ['a scheme of its own', { redirect_uris: ['evil://cb'] }],
    ['no redirect', { redirect_uris: [] }],
    ['a name of nothing that is seen', { client_name: '\u200b\u202e' }],
    ['a name of 20,000 letters', { client_name: 'a'.repeat(20_000) }],
  ])('is refused with %s, which is recorded', async (_, own) => {
    const answer = await fixture.unharmed(() => register({ ...good, ...own }));
    const [status, error] = refusal(answer);
    expect(status).toBe(400);
    expect(['invalid_client_metadata', 'invalid_redirect_uri']).toContain(error);
    expect(answer.text).not.toMatch(/evil|client_id"/);
    expect(await fixture.events(answer)).toEqual(['client_registration_refused']);
  });

  it.each<[string, string]>([
    ['broken JSON', '{"redirect_uris":'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['nothing', ''],
    ['a megabyte', JSON.stringify({ ...good, contacts: ['a'.repeat(1_048_576)] })],
    ['a form', 'redirect_uris=https://evil.example'],
  ])('is refused with a body that is %s', async (_, body) => {
    const answer = await fixture.unharmed(() => register(body));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.text).not.toMatch(/evil|node_modules|\bat \w+ \(/);
  });

  it('gets signed id_tokens, although it asks for unsigned ones', async () => {
    const { text } = await register({ ...good, id_token_signed_response_alg: 'none' });
    expect(JSON.parse(text).id_token_signed_response_alg).toBe('ES256');
  });

  it('cannot take the name or the secret of an application that there is', async () => {
    const { clientId } = await fixture.register();
    const own = { client_id: clientId, client_secret: 'chosen by me', client_id_issued_at: 1, ...good };
    const answer = await register({ ...own, token_endpoint_auth_method: 'client_secret_post' });
    const made = JSON.parse(answer.text);
    expect([answer.status, made.client_id === clientId, made.client_secret]).toEqual([
      201,
      false,
      expect.not.stringContaining('chosen'),
    ]);
    const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id: made.client_id };
    const chosen = await fixture.form('/oauth/token', { ...form, client_secret: 'chosen by me' });
    expect(refusal(chosen)).toEqual([401, 'invalid_client']);
  });

  it('cannot be read, changed or deleted afterwards by who knows its id', async () => {
    const { clientId } = fixture.client;
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await fixture.unharmed(() => fixture.send(`/oauth/register/${clientId}`, { method }));
      expect([method, answer.status]).toEqual([method, 404]);
    }
  });

  it('with a secret does not get by without it afterwards, nor by another method', async () => {
    const { client_id: clientId, client_secret: secret } = JSON.parse(
      (await register({ ...good, token_endpoint_auth_method: 'client_secret_basic' })).text,
    );
    const form = { grant_type: 'refresh_token', refresh_token: 'x' };
    const wrong = await fixture.unharmed(async () => [
      await fixture.form('/oauth/token', { ...form, client_id: clientId }),
      await fixture.form('/oauth/token', { ...form, client_id: clientId, client_secret: `${secret}x` }),
    ]);
    for (const answer of wrong) {
      expect(refusal(answer)[1]).toMatch(/^invalid_(client|request)$/);
      expect(await fixture.events(answer)).toEqual(['token_refused']);
    }
    const basic = { Authorization: `Basic ${btoa(`${clientId}:${secret}`)}` };
    expect(refusal(await fixture.form('/oauth/token', form, basic))).toEqual([400, 'invalid_grant']);
  });

  it('with markup for a name is shown as text, to people and in its own answer', async () => {
    const client_name = '<img src=x onerror=evil()>"\'&</title>';
    const made = await register({ ...good, client_name });
    expect([made.status, made.headers.get('Content-Type')]).toEqual([201, expect.stringContaining('application/json')]);
    const client = await PlainClient.register(fixture.url, CALLBACK, { client_name });
    const person = fixture.person();
    const signIn = shown(await person.open(client.authorization('read').url));
    const consent = shown(await person.signIn(signIn));
    for (const page of [signIn, consent]) {
      expect(page.html).not.toContain('<img');
      expect(page.html).not.toContain('</title>"');
      expect(page.text).toContain('<img src=x onerror=evil()>');
      expect(page.text).toContain('unverified name');
    }
  });

  it('under the name of a well-known one is called unverified, and its redirect is shown', async () => {
    const client = await PlainClient.register(fixture.url, CALLBACK, { client_name: 'Claude (claude.ai)' });
    const consent = await fixture.person().consentPage(client.authorization('read').url);
    expect(consent.text).toContain('unverified name');
    expect(consent.text).toContain('a program on this computer');
  });

  it('from a page of a foreign site cannot be read by that page', async () => {
    const answer = await register(good, { Origin: 'https://evil.example' });
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });

  it('in great number ends in 429, and leaves no more rows than the quota', async () => {
    const narrow = await AttackFixture.start({
      environment: { rateLimitRegistration: 5, rateLimitRegistrationTotal: 10 },
    });
    try {
      const statuses: number[] = [];
      for (let i = 0; i < 20; i += 1) {
        const answer = await narrow.send('/oauth/register', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `203.0.113.${i}` },
          body: JSON.stringify(good),
        });
        statuses.push(answer.status);
        if (answer.status === 429) expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
      }
      // The honest application's registration was the first of the five allowed.
      expect(statuses.filter((status) => status === 201)).toHaveLength(4);
      expect(statuses.filter((status) => status === 429)).toHaveLength(16);
      const rows = await narrow.app.rows("SELECT 1 FROM oauth_records WHERE kind = 'Client'");
      expect(rows).toHaveLength(5);
    } finally {
      await narrow.close();
    }
  });
});

describe('an application of the operator', () => {
  it('that must push its requests and bind its tokens (FAPI 2.0) cannot do less', async () => {
    const { clientId } = await fixture.register({
      authMethod: 'private_key_jwt',
      isFapi2: true,
      jwks: { keys: [KEY] },
    });
    const { url } = fixture.client.authorization('read', {
      client_id: clientId,
      redirect_uri: 'https://app.example/cb',
    });
    const direct = await fixture.unharmed(() => fixture.send(url, { headers: { Accept: 'text/html' } }));
    const told = toldClient(direct, 'https://app.example/cb');
    if (told === null) expectPage(direct, 400);
    else expect([told.get('error'), told.has('code')]).toEqual(['invalid_request', false]);
    expect(await fixture.events(direct)).toEqual(['authorization_refused']);
    const pushed = await fixture.unharmed(() => fixture.form('/oauth/par', url.search.slice(1)));
    expect(refusal(pushed)[1]).toMatch(/^invalid_(client|request)$/);
  });
});
