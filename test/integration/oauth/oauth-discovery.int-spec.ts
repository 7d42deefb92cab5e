import { connect } from 'node:net';
import { ListeningService } from '../../support/listening-service.js';
import { answersWithoutPages, OAuthDriver } from './oauth-driver.js';

let service: ListeningService;
let prefixed: ListeningService;

beforeAll(async () => {
  service = await ListeningService.listen({ prepare: answersWithoutPages });
  prefixed = await ListeningService.listen({
    environment: {
      baseUrl: 'https://api.example/market/one',
      oauthClientDocuments: false,
    },
  });
});

afterAll(async () => {
  await service?.close();
  await prefixed?.close();
});

const METADATA = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
const RESOURCE = '/.well-known/oauth-protected-resource';

/** Sends one request as bytes, because `fetch` sets Host itself. */
function raw(app: ListeningService, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(app.url);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('the documents', () => {
  it.each(METADATA)('%s names the endpoints and what they take', async (path) => {
    const answer = await fetch(service.url + path);
    const document: any = await answer.json();
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(document).toMatchObject({
      issuer: service.url,
      authorization_endpoint: `${service.url}/oauth/authorize`,
      token_endpoint: `${service.url}/oauth/token`,
      registration_endpoint: `${service.url}/oauth/register`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      pushed_authorization_request_endpoint: `${service.url}/oauth/par`,
      dpop_signing_alg_values_supported: ['ES256', 'EdDSA'],
    });
    expect(document.token_endpoint_auth_methods_supported).toContain('none');
    expect(document).not.toHaveProperty('end_session_endpoint');
    expect(document).not.toHaveProperty('userinfo_endpoint');
  });

  it.each(['', '/v1'])('of the resource (RFC 9728) are at %s', async (resource) => {
    const answer = await fetch(service.url + RESOURCE + resource);
    expect(await answer.json()).toEqual({
      resource: service.url,
      authorization_servers: [service.url],
      scopes_supported: ['read', 'buyer', 'worker', 'agent-owner'],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: ['ES256', 'EdDSA'],
      resource_name: 'Tasktree',
      resource_documentation: `${service.url}/docs`,
    });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('of the MCP endpoint name its own URL', async () => {
    const answer = await fetch(`${service.url}${RESOURCE}/mcp`);
    expect(await answer.json()).toMatchObject({
      resource: `${service.url}/mcp`,
      authorization_servers: [service.url],
      scopes_supported: ['read', 'buyer', 'worker', 'agent-owner'],
      bearer_methods_supported: ['header'],
    });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('hold no private key', async () => {
    const { keys }: any = await (await fetch(`${service.url}/oauth/jwks`)).json();
    expect(keys).toEqual([expect.objectContaining({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' })]);
    expect(keys[0]).not.toHaveProperty('d');
  });

  it('carry the headers of every answer', async () => {
    const answer = await fetch(service.url + METADATA[0]);
    expect(answer.headers.get('service-version')).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('what a request says of its host', () => {
  const hostile = [
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Port: 444',
    'X-Forwarded-Prefix: /evil',
    'Forwarded: host=evil.example;proto=https',
  ].join('\r\n');

  it.each([...METADATA, RESOURCE, '/oauth/jwks'])('does not reach %s', async (path) => {
    const text = await raw(
      service,
      `GET ${path} HTTP/1.1\r\nHost: evil.example\r\n${hostile}\r\nConnection: close\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1.1 200/);
    expect(text).not.toMatch(/evil|https:\/\//);
  });

  it('does not count in a target of absolute form either', async () => {
    const target = `http://evil.example${METADATA[0]}`;
    const text = await raw(service, `GET ${target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
    expect(text).toContain(`"issuer":"${service.url}"`);
    expect(text).not.toContain('evil');
  });

  it('does not turn a redirect', async () => {
    const { client_id: clientId } = await OAuthDriver.register(service);
    const driver = new OAuthDriver(service, clientId, 'nobody');
    const { pathname, search } = new URL(driver.authorizeUrl());
    const head = `GET ${pathname}${search} HTTP/1.1\r\nHost: evil.example\r\n${hostile}`;
    const text = await raw(service, `${head}\r\nConnection: close\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1.1 303/);
    expect(text).toMatch(/\r\nlocation: \/oauth\/interaction\//i);
    expect(text).not.toContain('evil');
  });
});

describe('below a path prefix', () => {
  const base = 'https://api.example/market/one';

  it('every address has it, although the gateway takes it off', async () => {
    const document: any = await (await fetch(prefixed.url + METADATA[0])).json();
    expect(document).toMatchObject({
      issuer: base,
      token_endpoint: `${base}/oauth/token`,
      jwks_uri: `${base}/oauth/jwks`,
    });
    expect(document).not.toHaveProperty('client_id_metadata_document_supported');
    const resource: any = await (await fetch(prefixed.url + RESOURCE)).json();
    expect(resource).toMatchObject({ resource: base, authorization_servers: [base] });
  });

  it('a person is sent to pages below it, with cookies that no other path or host can set', async () => {
    const { client_id: clientId } = await OAuthDriver.register(prefixed);
    const driver = new OAuthDriver(prefixed, clientId, 'nobody');
    const answer = await driver.visit(driver.authorizeUrl());
    expect(driver.location).toMatch(/^\/market\/one\/oauth\/interaction\/[\w-]+$/);
    const cookies = answer.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(1);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Secure-tasktree_/);
      expect(cookie).toMatch(/path=\/market\/one\/oauth\/(?:interaction|authorize)\//);
      expect(cookie).toMatch(/; secure/);
      expect(cookie).toMatch(/; httponly/);
      expect(cookie).toMatch(/samesite=lax/);
    }
  });
});

describe('methods and paths', () => {
  it.each([
    ['GET', '/oauth/token', 'OPTIONS, POST'],
    ['PUT', '/oauth/authorize', 'GET, HEAD, OPTIONS, POST'],
    ['DELETE', '/oauth/jwks', 'GET, HEAD, OPTIONS'],
    ['GET', '/oauth/register', 'OPTIONS, POST'],
    ['POST', '/.well-known/oauth-protected-resource', 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405 and names what there is', async (method, path, allow) => {
    const answer = await fetch(service.url + path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    expect(await answer.json()).toMatchObject({ error: { code: 'method_not_allowed' } });
  });

  it.each(['/oauth/TOKEN', '/oauth/token/', '/oauth/logout', '/oauth/register/x', '/oauth/userinfo', '/oauth'])(
    '%s is no path',
    async (path) => {
      const answer = await fetch(service.url + path, { method: 'POST' });
      expect([answer.status, await answer.json()]).toEqual([
        404,
        { error: expect.objectContaining({ code: 'unknown_route' }) },
      ]);
    },
  );

  it('HEAD reads documents, and begins no authorization', async () => {
    expect((await fetch(service.url + METADATA[0], { method: 'HEAD' })).status).toBe(200);
    const { client_id: clientId } = await OAuthDriver.register(service);
    const driver = new OAuthDriver(service, clientId, 'nobody');
    const answer = await fetch(driver.authorizeUrl(), { method: 'HEAD', redirect: 'manual' });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
  });

  it('OPTIONS names the methods and lets no foreign origin in', async () => {
    const answer = await fetch(`${service.url}/oauth/token`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'OPTIONS, POST']);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('a script of a foreign origin gets no token', async () => {
    const { client_id: clientId } = await OAuthDriver.register(service);
    const driver = new OAuthDriver(service, clientId, 'nobody');
    const answer = await driver.refresh('x', {});
    expect(answer.status).toBe(400);
    const foreign = await driver.token(
      { grant_type: 'refresh_token', refresh_token: 'x' },
      { origin: 'https://evil.example' },
    );
    expect([foreign.status, foreign.body.error]).toEqual([400, 'invalid_request']);
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    ['client_credentials', 'unsupported_grant_type'],
    ['password', 'unsupported_grant_type'],
    ['implicit', 'unsupported_grant_type'],
  ])('the grant type %s is not offered', async (type, error) => {
    const { client_id: clientId } = await OAuthDriver.register(service);
    const { status, body } = await new OAuthDriver(service, clientId, 'nobody').token({ grant_type: type });
    expect([status, body.error]).toEqual([400, error]);
  });

  it('an unknown application is told so in the words on which hosts register anew', async () => {
    const { status, body } = await new OAuthDriver(service, 'gone', 'nobody').refresh('x');
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });
});
