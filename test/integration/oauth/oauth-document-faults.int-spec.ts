import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { EgressDns } from '../../../src/platform/egress/egress-dns.js';
import { AddressBudget } from '../../../src/platform/rate-limit/address-budget.js';
import { FallbackWindowCounter } from '../../../src/platform/rate-limit/counters/fallback-window-counter.js';
import { RateLimitStore } from '../../../src/platform/rate-limit/rate-limit.store.js';
import { tokensOf } from '../../support/oauth/connected-client.js';
import { AttackFixture, CALLBACK } from './attack-fixture.js';
import { Certificate } from '../../support/oauth/certificate.js';
import { CookieJar } from '../../support/oauth/cookie-jar.js';
import { Person, redirected, shown } from '../../support/oauth/person.js';
import { ListeningService } from '../../support/listening-service.js';

/** Where the hosts of applications are: at the server of this spec, unless a test says otherwise. */
class SpecEgress extends EgressDns {
  answers: (host: string) => string[] | Promise<string[]> = () => ['127.0.0.1'];

  constructor(override readonly authorities: string) {
    super();
  }

  override async resolve(host: string): Promise<string[]> {
    return this.answers(host);
  }
}

let certificate: Certificate;
let server: Server;
let port: number;
let egress: SpecEgress;
let fixture: AttackFixture;
/** Another process on the same database, which has fetched nothing yet when a test comes to a new application. */
let second: ListeningService;
let answer: (path: string, id: string, response: ServerResponse) => unknown;
let own: Record<string, unknown>;
let keys: JWK[];

const NETWORKS = { oauthPrivateNetworks: ['127.0.0.0/8'] };

beforeAll(async () => {
  certificate = Certificate.for(['*.client.example']);
  server = createServer(certificate.pair, (request, response) => {
    answer(request.url ?? '', `https://${request.headers.host}${request.url}`, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
  egress = new SpecEgress(certificate.pair.cert);
  fixture = await AttackFixture.start({
    environment: NETWORKS,
    override: (testing) => testing.overrideProvider(EgressDns).useValue(egress),
  });
  second = await ListeningService.listen({
    databaseUrl: fixture.app.environment.databaseUrl,
    environment: { ...NETWORKS, baseUrl: fixture.url },
    override: (testing) => testing.overrideProvider(EgressDns).useValue(egress),
  });
});

beforeEach(() => {
  own = {};
  heal();
});

afterAll(async () => {
  await fixture?.close();
  await second?.close();
  server?.closeAllConnections();
  await new Promise((done) => server.close(done));
  certificate?.remove();
});

/** The hosts are there again, and answer as they should. */
function heal(): void {
  egress.answers = () => ['127.0.0.1'];
  answer = (path, id, response) => {
    const document = {
      client_id: id,
      client_name: 'App',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'none',
    };
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    response.end(JSON.stringify(path === '/keys.json' ? { keys } : { ...document, ...own }));
  };
}

let hosts = 0;
const newId = () => `https://d${(hosts += 1)}.client.example:${port}/client.json`;

/**
 * An application with a document that somebody has connected by the first process.
 * @param proof what it proves itself with. @returns its refresh token.
 */
async function connected(proof: (clientId: string) => Promise<object> = () => Promise.resolve({})) {
  const clientId = newId();
  if ('jwks_uri' in own) own['jwks_uri'] = new URL('/keys.json', clientId).href;
  const asked = fixture.client.authorization('read', { client_id: clientId });
  const redirect = await fixture.person().authorize(asked.url);
  const form = { client_id: clientId, ...(await proof(clientId)) };
  const tokens = tokensOf(await fixture.client.redeem(redirect, asked, form));
  return { clientId, refreshToken: tokens.refresh_token ?? '' };
}

async function post(service: { url: string }, path: string, form: Record<string, string>) {
  const response = await fetch(`${service.url}${path}`, { method: 'POST', body: new URLSearchParams(form) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: (text === '' ? {} : JSON.parse(text)) as any };
}

const refresh = (token: string, client: Record<string, string>) =>
  post(second, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...client });

const FAULTS: [string, () => void][] = [
  ['refuses connections', () => (egress.answers = () => ['127.0.0.9'])],
  [
    'has no name for a moment',
    () => (egress.answers = () => Promise.reject(Object.assign(new Error('EAI_AGAIN'), { code: 'EAI_AGAIN' }))),
  ],
  ['answers 500', () => (answer = (_path, _id, response) => response.writeHead(500).end('{}'))],
  ['is busy', () => (answer = (_path, _id, response) => response.writeHead(429).end('{}'))],
  ['cuts the connection', () => (answer = (_path, _id, response) => response.destroy())],
  ['never answers', () => (answer = () => undefined)],
];

describe.each(FAULTS)('while the host of an application’s document %s', (_, fail) => {
  it('its refresh token is neither refused nor used up', async () => {
    const { clientId, refreshToken } = await connected();
    fail();
    const away = await refresh(refreshToken, { client_id: clientId });
    expect([away.status, away.body.error]).toEqual([503, 'temporarily_unavailable']);
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(JSON.stringify(away.body)).not.toMatch(/127\.0\.0|ECONN|client\.example/);
    heal();
    expect((await refresh(refreshToken, { client_id: clientId })).status).toBe(200);
  });
});

it('an application whose document is gone is told that it is unknown', async () => {
  const { clientId, refreshToken } = await connected();
  answer = (_path, _id, response) => response.writeHead(404).end('{}');
  const gone = await refresh(refreshToken, { client_id: clientId });
  expect([gone.status, gone.body.error]).toEqual([400, 'invalid_client']);
});

it('requests of others to a host use up nothing of an application that somebody has connected', async () => {
  const { clientId, refreshToken } = await connected();
  const strangers = fixture.app.get(RateLimitStore).bucket('metadata-fetch-all', 120, 60_000);
  const { hostname } = new URL(clientId);
  for (let i = 0; i < 130; i += 1) await strangers.take(hostname);
  const unknown = await refresh('x', { client_id: new URL('/unknown.json', clientId).href });
  expect([unknown.status, unknown.body.error]).toEqual([503, 'temporarily_unavailable']);
  expect(Number(unknown.headers.get('retry-after'))).toBeGreaterThan(2);
  expect((await refresh(refreshToken, { client_id: clientId })).status).toBe(200);
});

it('what is fetched for a stranger in vain is paid for by his address, and for a connected application by nobody', async () => {
  const { clientId, refreshToken } = await connected();
  const charge = jest.spyOn(second.get(AddressBudget), 'charge');
  egress.answers = () => ['127.0.0.9'];
  expect((await refresh(refreshToken, { client_id: clientId })).status).toBe(503);
  expect(charge).not.toHaveBeenCalled();
  expect((await refresh('x', { client_id: newId() })).status).toBe(503);
  expect(charge).toHaveBeenCalledTimes(1);
  charge.mockRestore();
});

it('a host’s name of any length leaves the limits shared by all processes', async () => {
  const long = `https://${'a'.repeat(5_000)}.client.example/client.json`;
  const { status } = await refresh('x', { client_id: long });
  expect(status).toBe(400);
  expect(second.get(FallbackWindowCounter).isOnFallback).toBe(false);
});

describe('the consent page, while the host of the application’s document is away', () => {
  /** A person whose requests go to the process that a test names. */
  function traveller() {
    const place = { url: fixture.url };
    const person = new Person(fixture.url, undefined, new CookieJar(), (target, init) => {
      const { pathname, search } = new URL(target as URL);
      return fetch(`${place.url}${pathname}${search}`, init);
    });
    return { person, place };
  }

  it('says so, and nothing of a request that is over, and the same form works afterwards', async () => {
    const { person, place } = traveller();
    const { url } = fixture.client.authorization('read', { client_id: newId() });
    const page = await person.consentPage(url);
    place.url = second.url;
    egress.answers = () => ['127.0.0.9'];
    const failed = shown(await person.allow(page));
    expect([failed.status, Number(failed.headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect(failed.text).not.toMatch(/expired|another browser/);
    expect(failed.text).toContain('about itself');
    heal();
    expect(redirected(await person.allow(page)).searchParams.get('code')).toEqual(expect.any(String));
  });

  it('what was allowed is not lost on the way back to the application', async () => {
    const { person, place } = traveller();
    const { url } = fixture.client.authorization('read', { client_id: newId() });
    const page = await person.consentPage(url);
    // The answer to the form comes from the first process, and the second one continues.
    const { action, fields } = page.form('/consent');
    const body = new URLSearchParams(fields.map(({ name, value }) => [name, value]));
    const headers = { Origin: page.url.origin, Referer: page.url.href };
    const allowed = await person.request(action, { method: 'POST', body, headers });
    expect(allowed.status).toBe(303);
    const next = allowed.headers.get('location') ?? '';
    place.url = second.url;
    egress.answers = () => ['127.0.0.9'];
    const failed = shown(await person.open(next));
    expect([failed.status, Number(failed.headers.get('retry-after')) > 0]).toEqual([503, true]);
    heal();
    expect(redirected(await person.open(next)).searchParams.get('code')).toEqual(expect.any(String));
  });
});

describe('an application that proves itself by keys at its host', () => {
  let key: Awaited<ReturnType<typeof generateKeyPair>>;

  beforeEach(async () => {
    key = await generateKeyPair('ES256');
    keys = [{ ...(await exportJWK(key.publicKey)), kid: 'k', alg: 'ES256', use: 'sig' }];
    own = {
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: 'of the host',
      grant_types: ['authorization_code', 'refresh_token'],
    };
  });

  const assertionOf = async (clientId: string) => ({
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(fixture.url)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(key.privateKey),
  });

  it('is not refused while its keys cannot be fetched', async () => {
    const { clientId, refreshToken } = await connected(assertionOf);
    const whole = answer;
    answer = (path, id, response) =>
      path === '/keys.json' ? response.writeHead(503).end('{}') : whole(path, id, response);
    const away = await refresh(refreshToken, await assertionOf(clientId));
    expect([away.status, away.body.error]).toEqual([503, 'temporarily_unavailable']);
    heal();
    expect((await refresh(refreshToken, await assertionOf(clientId))).status).toBe(200);
  });

  it('may come as often as any other, because its keys are not fetched anew for every request', async () => {
    const { clientId, refreshToken } = await connected(assertionOf);
    const statuses: number[] = [];
    for (let i = 0; i < 15; i += 1) {
      statuses.push((await refresh(refreshToken, await assertionOf(clientId))).status);
    }
    expect(statuses).toEqual(Array.from({ length: 15 }, () => 200));
  });
});
