import { AuditReader } from './audit-reader.js';
import { ClientDocumentHost } from './client-document.js';
import { PlainClient } from '../../support/oauth/oauth-client.js';
import { OAuthService } from '../../support/oauth/oauth-service.js';
import type { Person } from '../../support/oauth/person.js';

/** Attacks by what applications say about themselves (docs/decisions/oauth.md#attacks, API7). */
const REDIRECT = 'http://127.0.0.1:7777/callback';
const KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

/** Each request for a document comes from another network: a host is fetched from ten times a minute for one of them. */
const PROXIED = { TRUSTED_PROXIES: '127.0.0.1/32' };
let networks = 0;
const anotherNetwork = (): Record<string, string> => ({ 'X-Forwarded-For': `203.0.113.${(networks += 1)}` });

let service: OAuthService;
/** A service that may not fetch from private addresses, which is the default. */
let guarded: OAuthService;
let host: ClientDocumentHost;
let audit: AuditReader;
let person: Person;

beforeAll(async () => {
  host = await ClientDocumentHost.listen([REDIRECT]);
  const { NODE_OPTIONS, NODE_EXTRA_CA_CERTS } = host.variables;
  [service, guarded, audit] = await Promise.all([
    OAuthService.start({ variables: { ...host.variables, ...PROXIED } }),
    OAuthService.start({
      variables: { NODE_OPTIONS: NODE_OPTIONS!, NODE_EXTRA_CA_CERTS: NODE_EXTRA_CA_CERTS!, ...PROXIED },
    }),
    AuditReader.open(),
  ]);
  person = service.person();
  await person.signInToAccount();
});

afterAll(async () => {
  await audit?.close();
  await service?.stop();
  await guarded?.stop();
  await host?.close();
});

const register = async (own: object): Promise<{ status: number; headers: Headers; body: any }> => {
  const answer = await fetch(`${service.baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: 'A client',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      ...own,
    }),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
};

describe('an application that registers itself is refused with', () => {
  it.each<[string, object]>([
    ['a redirect to any host', { redirect_uris: ['https://evil.example/callback'] }],
    ['a redirect to a host that ends like a permitted one', { redirect_uris: ['https://evilclaude.ai/callback'] }],
    ['a redirect to a subdomain of a permitted host', { redirect_uris: ['https://evil.claude.ai/callback'] }],
    ['a redirect by http', { redirect_uris: ['http://claude.ai/callback'] }],
    ['javascript:', { redirect_uris: ['javascript:alert(1)'] }],
    ['data:', { redirect_uris: ['data:text/html,x'] }],
    ['a scheme of its own', { redirect_uris: ['myapp://callback'] }],
    ['a scheme of its own, as native', { redirect_uris: ['com.example:/callback'], application_type: 'native' }],
    ['a user in the redirect', { redirect_uris: ['https://evil@claude.ai/callback'] }],
    ['a fragment in the redirect', { redirect_uris: ['https://claude.ai/callback#x'] }],
    ['a wildcard in the redirect', { redirect_uris: ['https://claude.ai/*'] }],
    ['a wildcard in the host', { redirect_uris: ['https://*.claude.ai/callback'] }],
    ['dot segments in the redirect', { redirect_uris: ['https://claude.ai/a/../callback'] }],
    ['one good redirect and one that is not', { redirect_uris: [REDIRECT, 'https://evil.example/'] }],
    ['no redirect', { redirect_uris: [] }],
    [
      '200 redirects',
      { redirect_uris: Array.from({ length: 200 }, (_, port) => `http://127.0.0.1:${port + 1}/callback`) },
    ],
    ['what is no list', { redirect_uris: REDIRECT }],
    [
      'keys at an internal address',
      { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'http://169.254.169.254/keys' },
    ],
    ['keys at any address', { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://evil.example/keys' }],
    ['a secret that signs (needs it in clear)', { token_endpoint_auth_method: 'client_secret_jwt' }],
    ['a certificate', { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=x' }],
    ['private keys', { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ ...KEY, d: KEY.x }] } }],
    ['the right to ask about tokens', { gateway: true }],
    ['a security profile', { security_profile: 'fapi2' }],
    ['a word on who registered it', { registered_by: 'operator' }],
    ['client_credentials', { grant_types: ['client_credentials'], response_types: [] }],
    ['the implicit grant', { grant_types: ['implicit'], response_types: ['token'] }],
    ['the password grant', { grant_types: ['password'], response_types: [] }],
    ['a scope that does not exist', { scope: 'read admin' }],
    ['a name of nothing that can be seen', { client_name: '\u200b\u202e\u0007' }],
  ])('%s', async (_name, own) => {
    const { status, headers, body } = await register(own);
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^invalid_(client_metadata|redirect_uri)$/)]);
    expect(JSON.stringify(body)).not.toMatch(/evil|169\.254/);
    expect(await audit.of(headers)).toContain('client_registration_refused');
  });

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['1 MiB', JSON.stringify({ client_name: 'x'.repeat(2 ** 20) })],
  ])('%s', async (_name, body) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${service.baseUrl}/oauth/register`, { method: 'POST', headers, body });
    expect([400, 413]).toContain(answer.status);
  });

  it('an id, a secret or a time of its own choice: they are ours', async () => {
    const chosen = {
      client_id: 'chosen',
      client_secret: 'chosen',
      client_id_issued_at: 1,
      token_endpoint_auth_method: 'client_secret_post',
    };
    const { status, body } = await register(chosen);
    expect(status === 201 ? [body.client_id, body.client_secret] : []).not.toContain('chosen');
  });
});

describe('the name of an application', () => {
  it('is text, however much of it and whatever is in it', async () => {
    const names = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', 'A\nB\r\nSet-Cookie: x=1'];
    for (const name of names) {
      const client = await PlainClient.register(service.baseUrl, REDIRECT, { client_name: name });
      const page = await person.consentPage(client.authorization('read').url);
      expect(page.html).not.toMatch(/<script>|<img src=x|\u202e/);
      expect(page.headers.get('Set-Cookie') ?? '').not.toMatch(/x=1/);
    }
    const turned = await register({ client_name: 'Bank\u202egnp.exe' });
    expect([turned.status, turned.body.error]).toEqual([400, 'invalid_client_metadata']);
    const long = await register({ client_name: 'x'.repeat(20_000) });
    expect(long.status === 400 || long.body.client_name.length <= 80).toBe(true);
  });

  it('brings no picture, no link and no request with it', async () => {
    const links = {
      logo_uri: 'https://evil.example/l.png',
      policy_uri: 'https://evil.example/p',
      tos_uri: 'https://evil.example/t',
      client_uri: 'https://evil.example/',
      contacts: ['evil@evil.example'],
    };
    const { status, body } = await register(links);
    const client = await PlainClient.register(service.baseUrl, REDIRECT, links);
    const page = await person.consentPage(client.authorization('read').url);
    expect([status, JSON.stringify(body).includes('evil'), page.html.includes('evil')]).toEqual([201, false, false]);
  });
});

/** Sends an authorization request with this client_id. */
async function askAs(
  clientId: string,
  of: OAuthService = service,
  own: Record<string, string> = {},
): Promise<Response> {
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    scope: 'read',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...own,
  };
  return of.person().request(`/oauth/authorize?${new URLSearchParams(parameters)}`, { headers: anotherNetwork() });
}

/**
 * Expects an error page of the service: the person is neither asked nor redirected.
 * @param status 503 for what may pass: nothing is known of the application then.
 */
async function expectRefused(answer: Response, status = 400): Promise<void> {
  const text = await answer.text();
  expect([answer.status, answer.headers.get('Location')]).toEqual([status, null]);
  expect(text).not.toMatch(/evil|ECONN|getaddrinfo|certificate|127\.0\.0\.1:\d+\/oauth\//);
  expect(await audit.of(answer.headers)).toContain('authorization_refused');
}

describe('a metadata document', () => {
  it('that is as it must be is taken', async () => {
    const answer = await askAs(host.publish({}));
    expect([answer.status, answer.headers.get('Location')]).toEqual([
      303,
      expect.stringContaining('/oauth/interaction/'),
    ]);
  });

  it.each<[string, object]>([
    ['of another id', { client_id: 'https://client.example/other.json' }],
    ['of the same id with another letter case', { client_id: 'https://CLIENT.example/oauth/client.json' }],
    ['without id', { client_id: undefined }],
    [
      'with a secret',
      { client_secret: 'a-secret-of-the-application', token_endpoint_auth_method: 'client_secret_post' },
    ],
    ['with a method that needs a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['with redirects to foreign hosts', { redirect_uris: [REDIRECT, 'https://evil.example/callback'] }],
    ['with a redirect by javascript:', { redirect_uris: ['javascript:alert(1)'] }],
    [
      'with keys at an internal address',
      { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://127.0.0.1/keys' },
    ],
    ['that makes itself a gateway', { gateway: true }],
    ['without redirects', { redirect_uris: undefined }],
  ])('%s is refused', async (_name, own) => {
    await expectRefused(await askAs(host.publish({ ...own })));
  });

  it.each<[string, string]>([
    ['http', 'http://client.example/oauth/client.json'],
    ['a fragment', 'https://client.example/oauth/client.json#x'],
    ['a user', 'https://user@client.example/oauth/client.json'],
    ['dot segments', 'https://client.example/oauth/../client.json'],
    ['encoded dot segments', 'https://client.example/oauth/%2e%2e/client.json'],
    ['no path', 'https://client.example'],
    ['only a slash as path', 'https://client.example/'],
    ['no host', 'https:///client.json'],
    ['a file', 'file:///etc/passwd'],
  ])('an id with %s is none', async (_name, clientId) => {
    await expectRefused(await askAs(clientId));
  });

  it.each<[string, (response: import('node:http').ServerResponse) => void, number]>([
    ['a redirect', (response) => response.writeHead(302, { Location: host.clientId }).end(), 400],
    ['404', (response) => response.writeHead(404).end('{}'), 400],
    ['HTML', (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'), 400],
    [
      '1 MiB',
      (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('x'.repeat(2 ** 20)),
      400,
    ],
    [
      'a body that never ends',
      (response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).write('{'),
      503,
    ],
    ['nothing at all', () => {}, 503],
  ])('that is answered with %s is refused within 8 s', async (name, answer, status) => {
    const startedAt = Date.now();
    await expectRefused(await askAs(host.answer(`/oauth/${encodeURIComponent(name)}.json`, answer)), status);
    expect(Date.now() - startedAt).toBeLessThan(8_000);
  });

  it.each([
    ['loopback', 'https://127.0.0.1/client.json'],
    ['the metadata service of clouds', 'https://169.254.169.254/client.json'],
    ['IPv6 loopback', 'https://[::1]/client.json'],
    ['a mapped private address', 'https://[::ffff:10.0.0.1]/client.json'],
    ['loopback as a decimal number', 'https://2130706433/client.json'],
    ['loopback in octal', 'https://0177.0.0.1/client.json'],
    ['a private address', 'https://10.0.0.1/client.json'],
    ['the name of this machine', 'https://localhost/client.json'],
    ['a name that means loopback', 'https://client.example/client.json'],
  ])('at %s is not asked for', async (_name, clientId) => {
    const { port } = new URL(host.clientId);
    const asked = host.requests.length;
    const url = new URL(clientId);
    url.port = port;
    await expectRefused(await askAs(url.href, guarded));
    expect(host.requests).toHaveLength(asked);
  });
});
