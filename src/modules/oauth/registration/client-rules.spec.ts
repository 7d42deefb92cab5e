import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Adapter, AdapterPayload, ClientMetadata } from 'oidc-provider';
import { Environment } from '../../../platform/config/environment.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { Provider } from '../protocol/oidc-provider.js';
import { ClientRules, documentHost, OWN_CLIENT_METADATA } from './client-rules.js';
import { ClientSecrets } from './client-secrets.js';
import { RedirectPolicy } from './redirect-policy.js';

const environment = Object.assign(new Environment(), {
  appSecret: 'a secret of the tests, long enough for HKDF',
  oauthRedirectHosts: ['claude.ai'],
  oauthKnownClientHosts: ['known.github.io'],
});
const secrets = new ClientSecrets(new Sealer(environment));
const rules = new ClientRules(new RedirectPolicy(environment), secrets, environment);
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwks = { keys: [{ ...keys.publicKey.export({ format: 'jwk' }) }] };

/** The stored records, in place of the table. */
const stored = new Map<string, AdapterPayload>();
const adapter = (kind: string): Adapter => ({
  upsert: async (id, payload) => void stored.set(`${kind}:${id}`, secrets.protect(id, payload)),
  find: async (id) => stored.get(`${kind}:${id}`),
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
});

/** Documents that applications publish, by address; a request for any other address fails the test. */
const documents = new Map<string, object>();
const fetched: string[] = [];

let server: Server;
let provider: Provider;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => void provider.callback()(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const silent = [jest.spyOn(console, 'warn'), jest.spyOn(console, 'info')].map((spy) =>
    spy.mockImplementation(() => {}),
  );
  provider = new Provider(url, {
    adapter,
    scopes: ['openid', 'offline_access', 'read', 'worker'],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'], clientAuthSigningAlgValues: ['ES256', 'PS256', 'EdDSA'] },
    jwks: { keys: [{ ...keys.privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    extraClientMetadata: { properties: OWN_CLIENT_METADATA, validator: rules.validate },
    fetch: async (input) => {
      const { url: address } = new Request(input);
      fetched.push(address);
      return Response.json(documents.get(address) ?? {});
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      introspection: { enabled: true },
    },
  });
  for (const spy of silent) spy.mockRestore();
  rules.install(provider.Client, async () => {});
});

afterAll(() => new Promise((done) => server.close(done)));

const good = { client_name: 'App', redirect_uris: ['https://claude.ai/cb'] };
const register = async (metadata: object) => {
  const answer = await fetch(`${url}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  return { status: answer.status, body: (await answer.json()) as ClientMetadata & { error?: string } };
};

describe('an application that registers itself', () => {
  it('becomes a public client without a secret, marked as self-registered', async () => {
    const { status, body } = await register(good);
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...good, token_endpoint_auth_method: 'none', registered_by: 'self' });
    expect(body).not.toHaveProperty('client_secret');
  });

  it('on the person’s own machine is native, whatever it says', async () => {
    const redirect_uris = ['http://127.0.0.1:7/cb', 'http://localhost/cb'];
    expect((await register({ redirect_uris, application_type: 'web' })).body.application_type).toBe('native');
    expect((await register({ ...good, application_type: 'native' })).body.application_type).toBe('web');
  });

  it('is shown its secret once; the table has a hash of it, which compares', async () => {
    const { body } = await register({ ...good, token_endpoint_auth_method: 'client_secret_basic' });
    const secret = body.client_secret ?? '';
    const row = JSON.stringify(stored.get(`Client:${body.client_id}`));
    expect(secret.length).toBeGreaterThanOrEqual(43);
    expect(row).not.toContain(secret);
    const client = await provider.Client.find(body.client_id);
    expect(await client?.compareClientSecret(secret)).toBe(true);
    expect(await client?.compareClientSecret(client.clientSecret ?? '')).toBe(false);
    expect(await client?.compareClientSecret('')).toBe(false);
  });

  it('may prove itself with keys that it sends along', async () => {
    const { status, body } = await register({ ...good, token_endpoint_auth_method: 'private_key_jwt', jwks });
    expect([status, body.jwks?.keys]).toEqual([201, jwks.keys]);
  });

  it('loses every member that would have to be fetched, and nothing is fetched', async () => {
    const pictures = {
      logo_uri: 'https://evil.example/l.png',
      policy_uri: 'https://evil.example/p',
      tos_uri: 'http://10.0.0.1/',
    };
    const pages = {
      client_uri: 'https://evil.example',
      initiate_login_uri: 'https://evil.example/l',
      contacts: ['a@b.example'],
    };
    const sector = { sector_identifier_uri: 'https://169.254.169.254/latest', default_max_age: 1, unknown_member: 'x' };
    const { status, body } = await register({ ...good, ...pictures, ...pages, ...sector });
    expect(status).toBe(201);
    for (const member of Object.keys({ ...pictures, ...pages, ...sector })) expect(body).not.toHaveProperty(member);
    expect(fetched).toEqual([]);
  });

  it('has its name on one line', async () => {
    expect((await register({ ...good, client_name: ' Tools \n of  Ada ' })).body.client_name).toBe('Tools of Ada');
  });

  it.each<[string, object, string?]>([
    ['a gateway', { gateway: true }],
    ['a gateway that it is not', { gateway: false }],
    ['a security profile', { security_profile: 'fapi2' }],
    ['the operator’s mark', { registered_by: 'operator' }],
    ['a secret that signs', { token_endpoint_auth_method: 'client_secret_jwt' }],
    ['a certificate', { token_endpoint_auth_method: 'tls_client_auth' }],
    ['a method that is no text', { token_endpoint_auth_method: ['none'] }],
    ['private_key_jwt without keys', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['keys on a private host', { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://10.0.0.1/jwks' }],
    ['keys at an address', { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://claude.ai/jwks' }],
    ['keys at an address that it does not need', { jwks_uri: 'https://169.254.169.254/' }],
    [
      'a private key',
      { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [keys.privateKey.export({ format: 'jwk' })] } },
    ],
    ['the client credentials grant', { grant_types: ['client_credentials'] }],
    ['the implicit grant', { response_types: ['token'], grant_types: ['implicit'] }],
    ['a scope that there is not', { scope: 'read admin' }],
    ['an empty name', { client_name: '\u200b' }],
    ['a name that hides something', { client_name: 'Tools\u202e of Ada' }],
    ['a long name', { client_name: 'a'.repeat(81) }],
    ['a name that is no text', { client_name: { en: 'App' } }],
    ['a foreign host', { redirect_uris: ['https://evil.example/cb'] }, 'invalid_redirect_uri'],
    [
      'a foreign host beside a good one',
      { redirect_uris: ['https://claude.ai/cb', 'https://evil.example/cb'] },
      'invalid_redirect_uri',
    ],
    ['http', { redirect_uris: ['http://claude.ai/cb'] }, 'invalid_redirect_uri'],
    ['javascript', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['a scheme of its own', { redirect_uris: ['app://cb'] }, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: ['https://claude.ai/cb#x'] }, 'invalid_redirect_uri'],
    ['a wildcard', { redirect_uris: ['https://claude.ai/*'] }, 'invalid_redirect_uri'],
    [
      '200 redirects',
      { redirect_uris: Array.from({ length: 200 }, (_, i) => `https://claude.ai/${i}`) },
      'invalid_redirect_uri',
    ],
    ['no redirect', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['redirects that are no list', { redirect_uris: 'https://claude.ai/cb' }, 'invalid_redirect_uri'],
    ['redirects that are no texts', { redirect_uris: [null] }, 'invalid_redirect_uri'],
  ])('is refused with %s', async (_, own, error = 'invalid_client_metadata') => {
    const { status, body } = await register({ ...good, ...own });
    expect({ status, error: body.error }).toEqual({ status: 400, error });
    expect(JSON.stringify(body)).not.toContain('evil');
    expect(fetched).toEqual([]);
  });
});

describe('an application with a metadata document', () => {
  const id = (path: string) => `https://app.example/${path}.json`;
  const publish = (path: string, own: object) => {
    documents.set(id(path), { client_id: id(path), client_name: 'App', token_endpoint_auth_method: 'none', ...own });
    return provider.Client.find(id(path));
  };

  afterEach(() => void fetched.splice(0));

  it('may redirect to its own host, and a host on the list, and loopback on any port', async () => {
    const redirect_uris = ['https://app.example/cb', 'https://claude.ai/cb', 'http://localhost/callback'];
    const client = await publish('mixed', { redirect_uris });
    expect(client?.applicationType).toBe('web');
    expect(client?.redirectUriAllowed('http://localhost:51999/callback')).toBe(true);
    expect(client?.redirectUriAllowed('https://app.example/cb')).toBe(true);
    expect(client?.redirectUriAllowed('https://app.example:8443/cb')).toBe(false);
  });

  it('of a command line lists a port-less loopback address and sends one with a port', async () => {
    const client = await publish('cli', { redirect_uris: ['http://localhost/callback'] });
    expect(client?.applicationType).toBe('native');
    expect(client?.redirectUriAllowed('http://localhost:3118/callback')).toBe(true);
  });

  it('cannot be at a host where anybody can publish, unless the operator lists that host', async () => {
    const publishAt = (host: string) => {
      const clientId = `https://${host}/client.json`;
      const redirect_uris = ['http://localhost/callback'];
      documents.set(clientId, { client_id: clientId, client_name: 'Claude', redirect_uris });
      return provider.Client.find(clientId);
    };
    for (const host of ['storage.googleapis.com', 'somebody.github.io', 'bucket.s3.amazonaws.com']) {
      await expect(publishAt(host)).rejects.toThrow('invalid_client_metadata');
    }
    await expect(publishAt('known.github.io')).resolves.toBeDefined();
  });

  it('may have its keys at its own host', async () => {
    const own = { redirect_uris: ['https://app.example/cb'], token_endpoint_auth_method: 'private_key_jwt' };
    await expect(publish('keys', { ...own, jwks_uri: 'https://app.example/jwks.json' })).resolves.toBeDefined();
    await expect(publish('foreign-keys', { ...own, jwks_uri: 'https://10.0.0.1/jwks.json' })).rejects.toThrow(
      'invalid_client_metadata',
    );
  });

  it.each<[string, object]>([
    ['another host', { redirect_uris: ['https://other.example/cb'] }],
    ['a host below its own', { redirect_uris: ['https://x.app.example/cb'] }],
    ['http at its own host', { redirect_uris: ['http://app.example/cb'] }],
    ['no redirect', {}],
    ['another id', { client_id: 'https://app.example/other.json', redirect_uris: ['https://app.example/cb'] }],
    [
      'a secret method',
      { token_endpoint_auth_method: 'client_secret_basic', redirect_uris: ['https://app.example/cb'] },
    ],
    ['a secret', { client_secret: 'x', redirect_uris: ['https://app.example/cb'] }],
    ['the gateway’s right', { gateway: true, redirect_uris: ['https://app.example/cb'] }],
    ['the operator’s mark', { registered_by: 'operator', redirect_uris: ['https://app.example/cb'] }],
  ])('is refused with %s', async (what, own) => {
    await expect(publish(encodeURIComponent(what), own)).rejects.toThrow(/^invalid_/);
  });

  it.each([
    'http://app.example/a.json',
    'https://app.example/a.json#x',
    'https://u@app.example/a.json',
    'https://app.example/a/../b.json',
    'https://app.example/%2e%2e/b.json',
  ])('has no document fetched from %s', async (clientId) => {
    expect(await provider.Client.find(clientId)).toBeUndefined();
    expect(fetched).toEqual([]);
  });
});

it('an application of the operator is taken as it is stored', async () => {
  const record = { client_id: 'client_g', client_name: 'Gateway', redirect_uris: ['https://anywhere.example/cb'] };
  stored.set('Client:client_g', {
    ...record,
    gateway: true,
    registered_by: 'operator',
    logo_uri: 'https://anywhere.example/l',
  });
  const client = await provider.Client.find('client_g');
  expect(client).toMatchObject({ gateway: true, registered_by: 'operator' });
  expect(client?.redirectUriAllowed('https://anywhere.example/cb')).toBe(true);
});

it.each([
  ['https://app.example/client.json', 'app.example'],
  ['https://app.example:8443/client.json', 'app.example'],
  ['HTTPS://App.example/c', 'app.example'],
  ['client_1', null],
  ['http://app.example/c', null],
  [undefined, null],
])('%s is vouched for by %s', (clientId, host) => {
  expect(documentHost(clientId)).toBe(host);
});
