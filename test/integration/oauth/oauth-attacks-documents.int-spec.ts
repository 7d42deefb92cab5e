import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { EgressDns } from '../../../src/platform/egress/egress-dns.js';
import { type Answer, AttackFixture, CALLBACK, expectPage, refusal } from './attack-fixture.js';
import { Certificate } from '../../support/oauth/certificate.js';

/** Resolves the names of this spec; each test may change what they resolve to. */
class SpecEgress extends EgressDns {
  asked: string[] = [];
  answers: (host: string) => string[] = () => ['127.0.0.1'];

  constructor(override readonly authorities: string) {
    super();
  }

  override async resolve(host: string): Promise<string[]> {
    this.asked.push(host);
    return this.answers(host);
  }
}

type Document = Record<string, unknown>;
type Behave = (id: string, response: import('node:http').ServerResponse) => void;

let certificate: Certificate;
let server: Server;
let port: number;
let egress: SpecEgress;
let fixture: AttackFixture;
let connections = 0;
let paths: string[] = [];
let behave: Behave;

beforeAll(async () => {
  certificate = Certificate.for(['*.client.example', 'client.example', '127.0.0.1']);
  server = createServer(certificate.pair, (request, response) => {
    paths.push(request.url ?? '');
    behave(`https://${request.headers.host}${request.url}`, response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((done) => server.listen(0, '0.0.0.0', done));
  port = (server.address() as AddressInfo).port;
  egress = new SpecEgress(certificate.pair.cert);
  fixture = await AttackFixture.start({
    // Permits this one address, so that every other address of this machine stays forbidden.
    environment: { oauthPrivateNetworks: ['127.0.0.1'] },
    override: (testing) => testing.overrideProvider(EgressDns).useValue(egress),
  });
});

beforeEach(() => {
  publish({});
  egress.answers = () => ['127.0.0.1'];
  egress.asked = [];
  paths = [];
  connections = 0;
});

afterAll(async () => {
  await fixture?.close();
  server?.closeAllConnections();
  await new Promise((done) => server.close(done));
  certificate?.remove();
});

/** Publishes a valid document with these changes. A null value removes the member. */
function publish(own: Document | string): void {
  behave = (id, response) => {
    const whole = { client_id: id, client_name: 'App', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    response.end(typeof own === 'string' ? own : JSON.stringify({ ...whole, ...own }));
  };
}

let hosts = 0;
/** A client id with a new host for each attack, because the service remembers what it has fetched. */
const idOf = (path = '/client.json') => `https://h${(hosts += 1)}.client.example:${port}${path}`;

function ask(clientId: string): Promise<Answer> {
  const { url } = fixture.client.authorization('read', { client_id: clientId });
  return fixture.send(url, { headers: { Accept: 'text/html' } });
}

/**
 * Expects an error page and an audit event, with no question for consent and no redirect.
 * @param status 503 for what may pass: nothing is known of the application then.
 */
async function expectRefused(answer: Answer, status = 400): Promise<void> {
  expectPage(answer, status);
  expect(await fixture.events(answer)).toEqual(['authorization_refused']);
}

/**
 * Expects at most two fetches of the document and nothing else. The library looks the application up a second time, for
 * its error page.
 */
function expectDocumentOnly(): void {
  expect(new Set(paths)).toEqual(new Set(['/client.json']));
  expect(paths.length).toBeLessThanOrEqual(2);
}

it('an application with a good document is taken, so that refusals mean something', async () => {
  const answer = await ask(idOf());
  expect([answer.status, answer.location?.pathname.startsWith('/oauth/interaction/')]).toEqual([303, true]);
  expect(paths).toEqual(['/client.json']);
});

describe('the document', () => {
  it.each<[string, Document | string]>([
    ['names another id', { client_id: 'https://other.client.example/client.json' }],
    ['names its id in another case', { client_id: 'https://CLIENT.example/client.json' }],
    ['names no id', { client_id: undefined }],
    ['wants a secret in the header', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['wants a secret in the body', { token_endpoint_auth_method: 'client_secret_post' }],
    ['wants a secret that signs', { token_endpoint_auth_method: 'client_secret_jwt' }],
    ['brings a secret', { client_secret: 'evil' }],
    ['brings an end of its secret', { client_secret_expires_at: 0 }],
    ['claims the gateway’s right', { gateway: true }],
    ['claims the operator’s mark', { registered_by: 'operator' }],
    ['redirects to a foreign host', { redirect_uris: ['https://evil.example/cb'] }],
    ['redirects to javascript', { redirect_uris: ['javascript:evil()'] }],
    ['redirects nowhere', { redirect_uris: [] }],
    [
      'has its keys on this machine',
      { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://127.0.0.2/k' },
    ],
    [
      'has its keys at a foreign host',
      { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://evil.example/k' },
    ],
    [
      'has a private key in it',
      { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ kty: 'oct', k: 'AA' }] } },
    ],
    ['wants the client credentials grant', { grant_types: ['client_credentials'] }],
    ['wants tokens in the address', { response_types: ['token'], grant_types: ['implicit'] }],
    ['is a list', '[]'],
    ['is no JSON', '<html>evil</html>'],
    ['is empty', ''],
    ['is null', 'null'],
  ])('that %s is refused', async (_, own) => {
    publish(own);
    const answer = await fixture.unharmed(() => ask(idOf()));
    await expectRefused(answer);
    expectDocumentOnly();
  });

  it.each<[string, Behave, number]>([
    ['is not there', (_id, response) => response.writeHead(404).end('{}'), 400],
    [
      'is elsewhere, on the same host',
      (_id, response) => response.writeHead(302, { Location: '/other.json' }).end(),
      400,
    ],
    [
      'is elsewhere, on a private address',
      (_id, response) => response.writeHead(307, { Location: 'https://169.254.169.254/latest' }).end(),
      400,
    ],
    ['has 1 MiB', (_id, response) => response.writeHead(200).end(Buffer.alloc(1_048_576, 0x20)), 400],
    [
      'comes a byte at a time',
      (_id, response) => {
        response.writeHead(200).flushHeaders();
        const drip = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(drip));
      },
      503,
    ],
    ['never comes', () => undefined, 503],
    [
      'breaks off',
      (_id, response) => response.writeHead(200, { 'Content-Length': 900 }).write('{"client_id"') && response.destroy(),
      503,
    ],
  ])('that %s is refused within twenty seconds, and nothing else is fetched', async (_, how, status) => {
    behave = how;
    const began = Date.now();
    const answer = await fixture.unharmed(() => ask(idOf()));
    await expectRefused(answer, status);
    expect(Date.now() - began).toBeLessThan(20_000);
    expectDocumentOnly();
  });

  it('may name pictures, policies, keys and sectors inside: none is fetched', async () => {
    const inside = 'https://127.0.0.1:1/evil';
    publish({
      logo_uri: inside,
      policy_uri: inside,
      tos_uri: inside,
      client_uri: inside,
      sector_identifier_uri: inside,
    });
    const id = idOf();
    const person = fixture.person();
    await person.authorize(fixture.client.authorization('read', { client_id: id }).url);
    expect(new Set(paths)).toEqual(new Set(['/client.json']));
    expect(new Set(egress.asked)).toEqual(new Set([new URL(id).hostname]));
  });
});

describe('an id that is not fetched', () => {
  it.each([
    ['http', (p: number) => `http://x.client.example:${p}/client.json`],
    ['with a fragment', (p: number) => `https://x.client.example:${p}/client.json#x`],
    ['with a user', (p: number) => `https://me@x.client.example:${p}/client.json`],
    ['with a user and a password', (p: number) => `https://a:b@x.client.example:${p}/client.json`],
    ['with dot segments', (p: number) => `https://x.client.example:${p}/a/../client.json`],
    ['with one dot', (p: number) => `https://x.client.example:${p}/./client.json`],
    ['with encoded dot segments', (p: number) => `https://x.client.example:${p}/%2e%2e/client.json`],
    ['a file', () => 'file:///etc/passwd'],
    ['FTP', () => 'ftp://x.client.example/client.json'],
    ['a line feed', (p: number) => `https://x.client.example:${p}/client.json\nHost: evil`],
  ])('%s', async (_, id) => {
    const answer = await fixture.unharmed(() => ask(id(port)));
    await expectRefused(answer);
    expect([connections, egress.asked]).toEqual([0, []]);
  });

  it.each([
    ['this machine', '127.0.0.2'],
    ['the metadata service of clouds', '169.254.169.254'],
    ['IPv6 loopback', '[::1]'],
    ['a mapped private address', '[::ffff:10.0.0.1]'],
    ['mapped loopback', '[::ffff:127.0.0.2]'],
    ['loopback as a decimal number', '2130706434'],
    ['loopback in octal', '0177.0.0.2'],
    ['loopback in hex', '0x7f000002'],
    ['all interfaces', '0.0.0.0'],
    ['a private network', '192.168.0.1'],
    ['NAT64 of loopback', '[64:ff9b::7f00:2]'],
    ['a unique local address', '[fd00::1]'],
    ['a link-local address', '[fe80::1]'],
  ])('at %s', async (_, host) => {
    const answer = await fixture.unharmed(() => ask(`https://${host}:${port}/client.json`));
    await expectRefused(answer);
    expect([connections, egress.asked]).toEqual([0, []]);
  });

  it.each([
    ['this machine', ['127.0.0.2']],
    ['a private network', ['10.0.0.1']],
    ['a public address and a private one', ['93.184.216.34', '10.0.0.1']],
    ['the metadata service of clouds', ['169.254.169.254']],
    ['mapped loopback', ['::ffff:127.0.0.2']],
    ['nothing', []],
  ])('whose name means %s', async (_, addresses) => {
    egress.answers = () => addresses;
    const answer = await fixture.unharmed(() => ask(idOf()));
    await expectRefused(answer);
    expect(connections).toBe(0);
  });

  it('whose name means something else a moment later (DNS rebinding)', async () => {
    const [id, again] = [idOf(), idOf('/again.json')];
    egress.answers = () => (egress.asked.length === 1 ? ['127.0.0.1'] : ['10.0.0.1']);
    expect((await ask(id)).status).toBe(303);
    expect(connections).toBe(1);
    await expectRefused(await fixture.unharmed(() => ask(again)));
    expect(connections).toBe(1);
  });

  it.each(['/oauth/token', '/oauth/par', '/oauth/revoke', '/oauth/introspect'])(
    'at a private address, sent to %s',
    async (path) => {
      const { url } = fixture.client.authorization('read', { client_id: `https://127.0.0.2:${port}/client.json` });
      const form = Object.fromEntries(url.searchParams);
      const answer = await fixture.unharmed(() =>
        fixture.form(path, { ...form, grant_type: 'refresh_token', refresh_token: 'x', token: 'x' }),
      );
      expect([400, 401]).toContain(answer.status);
      expect(refusal(answer)[1]).toMatch(/^invalid_client/);
      expect([connections, egress.asked]).toEqual([0, []]);
    },
  );

  it('more than ten times a minute: a stranger’s host is not flooded through us', async () => {
    publish('[]');
    const host = `flood.client.example:${port}`;
    const statuses: number[] = [];
    for (let i = 0; i < 15; i += 1) {
      const answer = await ask(`https://${host}/${i}.json`);
      await expectRefused(answer, answer.status);
      statuses.push(answer.status);
    }
    expect(paths).toHaveLength(10);
    expect(statuses.slice(10)).toEqual(Array.from({ length: 5 }, () => 503));
  });
});
