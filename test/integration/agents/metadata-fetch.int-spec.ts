import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.js';
import { ClientSettings } from '../../../src/modules/oauth/registration/client-settings.js';
import { DocumentAsker } from '../../../src/modules/oauth/registration/document-asker.js';
import { EgressDns } from '../../../src/platform/egress/egress-dns.js';
import { MetadataFetch } from '../../../src/modules/oauth/registration/metadata-fetch.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { DatabaseWindowCounter } from '../../../src/platform/rate-limit/counters/database-window-counter.js';
import { FallbackWindowCounter } from '../../../src/platform/rate-limit/counters/fallback-window-counter.js';
import { RateLimitStore } from '../../../src/platform/rate-limit/rate-limit.store.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { createMigratedDatabase } from '../../support/database.js';
import { Certificate } from '../../support/oauth/certificate.js';
import { testEnvironment } from '../../support/test-environment.js';

/** Resolves the names of this spec to addresses; any other name does not exist. */
class SpecEgress extends EgressDns {
  readonly asked: string[] = [];
  answers: (host: string) => string[] | Promise<string[]> = () => ['127.0.0.1'];

  constructor(override readonly authorities: string | null) {
    super();
  }

  override async resolve(host: string): Promise<string[]> {
    this.asked.push(host);
    return this.answers(host);
  }
}

const DOCUMENT = { client_id: 'https://a.client.example/client.json', client_name: 'App' };
const opened: MetadataFetch[] = [];

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let limits: RateLimitStore;
let settings: ClientSettings;
let certificate: Certificate;
let server: Server;
let port: number;
let connections = 0;
let paths: string[] = [];

beforeAll(async () => {
  database = await createMigratedDatabase();
  const clock = new Clock();
  const transactions = new Transactions(database.dataSource);
  settings = new ClientSettings(transactions, clock, new AuditLog(transactions, clock));
  limits = new RateLimitStore(new FallbackWindowCounter(new DatabaseWindowCounter(database.url), clock), clock);
  certificate = Certificate.for(['*.client.example', 'localhost', '127.0.0.1']);
  server = createServer(certificate.pair, (request, response) => {
    paths.push(request.url ?? '');
    const headers = { 'content-type': 'application/json', 'cache-control': 'max-age=300', 'set-cookie': 'a=b' };
    switch (request.url ?? '') {
      case '/document':
        return response.writeHead(200, headers).end(JSON.stringify({ ...DOCUMENT, headers: request.headers }));
      case '/redirect':
        return response.writeHead(302, { location: `https://b.client.example:${port}/document` }).end();
      case '/missing':
        return response.writeHead(404).end('{}');
      case '/exactly':
        return response.writeHead(200).end(Buffer.alloc(5 * 1024, 0x20));
      case '/one-more':
        return response.writeHead(200).end(Buffer.alloc(5 * 1024 + 1, 0x20));
      case '/mebibyte':
        return response.writeHead(200).end(Buffer.alloc(1024 * 1024, 0x20));
      case '/bomb':
        return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1024 * 1024)));
      case '/slow': {
        response.writeHead(200).flushHeaders();
        const drip = setInterval(() => response.write(' '), 100);
        return response.on('close', () => clearInterval(drip));
      }
      default:
        // Never answers.
        return undefined;
    }
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.onModuleDestroy()));
  connections = 0;
  paths = [];
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await limits.onApplicationShutdown();
  await database.dataSource.destroy();
  certificate.remove();
});

/** The fetch of a deployment that permits these networks besides public addresses. */
const fetching = (networks: string[] = ['127.0.0.0/8'], authorities: string | null = certificate.pair.cert) => {
  const egress = new SpecEgress(authorities);
  const environment = testEnvironment(database.url, { oauthPrivateNetworks: networks });
  const metadata = new MetadataFetch(egress, environment, limits, new DocumentAsker(), settings);
  opened.push(metadata);
  return { egress, get: (url: string) => metadata.fetch(url.replace(':PORT', `:${port}`)) };
};
const refused = { name: 'MetadataFetchError' };

describe('a document', () => {
  it('is fetched over https from the address that was checked, with nothing of ours in the question', async () => {
    const { get, egress } = fetching();
    const answer = await get('https://a.client.example:PORT/document');
    expect(answer.status).toBe(200);
    const { headers, ...document } = (await answer.json()) as { headers: Record<string, string> };
    expect(document).toEqual(DOCUMENT);
    expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
    expect(Object.fromEntries(answer.headers)).toEqual({ 'cache-control': 'max-age=300' });
    expect(egress.asked).toEqual(['a.client.example']);
  });

  it('is fetched past any proxy that the environment names', async () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      HTTPS_PROXY: 'http://127.0.0.1:1',
      https_proxy: 'http://127.0.0.1:1',
      ALL_PROXY: 'http://127.0.0.1:1',
    });
    const { get } = fetching();
    const { status } = await get('https://proxy.client.example:PORT/document').finally(() => {
      process.env = before;
    });
    expect(status).toBe(200);
  });

  it('may have 5 KiB and not a byte more', async () => {
    const { get } = fetching();
    expect((await (await get('https://size.client.example:PORT/exactly')).arrayBuffer()).byteLength).toBe(5120);
    await expect(get('https://size.client.example:PORT/one-more')).rejects.toMatchObject(refused);
  });

  it.each([
    ['a body of 1 MiB', 'mebibyte', 'larger'],
    ['a redirect, wherever to', 'redirect', '302'],
    ['another status', 'missing', '404'],
  ])('is not taken from %s', async (_, path, reason) => {
    const { get } = fetching();
    await expect(get(`https://bad.client.example:PORT/${path}`)).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining(reason),
    });
    expect(paths).toEqual([`/${path}`]);
  });

  it('is never unpacked, so that a small answer cannot become a large one', async () => {
    const { get } = fetching();
    const { byteLength } = await (await get('https://bomb.client.example:PORT/bomb')).arrayBuffer();
    expect(byteLength).toBeLessThan(5120);
  });

  it.each([
    ['a slow body', 'slow'],
    ['a host that never answers', 'never'],
  ])('is given up after 2.5 s with %s', async (_, path) => {
    const { get } = fetching();
    const began = Date.now();
    await expect(get(`https://slow.client.example:PORT/${path}`)).rejects.toMatchObject(refused);
    expect(Date.now() - began).toBeLessThan(10_000);
  });

  it('is given up after 2.5 s when nobody says where the host is', async () => {
    const { get, egress } = fetching();
    egress.answers = () => new Promise(() => undefined);
    const began = Date.now();
    await expect(get('https://nowhere.client.example:PORT/document')).rejects.toMatchObject(refused);
    expect(Date.now() - began).toBeLessThan(10_000);
  });

  it('is not taken from a host whose certificate nobody believes', async () => {
    await expect(fetching(['127.0.0.0/8'], null).get('https://c.client.example:PORT/document')).rejects.toMatchObject(
      refused,
    );
    expect(paths).toEqual([]);
  });

  it('is not taken from a host whose certificate is of another', async () => {
    const { get } = fetching();
    await expect(get('https://other.example:PORT/document')).rejects.toMatchObject(refused);
    expect(paths).toEqual([]);
  });
});

describe('an address that is not public', () => {
  it.each([
    ['loopback', 'https://127.0.0.1:PORT/document'],
    ['loopback elsewhere', 'https://127.9.9.9:PORT/document'],
    ['the metadata service of clouds', 'https://169.254.169.254/latest/meta-data'],
    ['IPv6 loopback', 'https://[::1]:PORT/document'],
    ['a mapped private address', 'https://[::ffff:10.0.0.1]/document'],
    ['mapped loopback', 'https://[::ffff:127.0.0.1]:PORT/document'],
    ['NAT64 of loopback', 'https://[64:ff9b::7f00:1]:PORT/document'],
    ['6to4 of a private address', 'https://[2002:a00:1::1]/document'],
    ['loopback as a decimal number', 'https://2130706433:PORT/document'],
    ['loopback in octal', 'https://0177.0.0.1:PORT/document'],
    ['loopback in hex', 'https://0x7f.0x1:PORT/document'],
    ['all interfaces', 'https://0.0.0.0:PORT/document'],
    ['a private address', 'https://192.168.0.1/document'],
  ])('is not connected to: %s', async (_, url) => {
    const { get, egress } = fetching([]);
    await expect(get(url)).rejects.toMatchObject({ ...refused, message: expect.stringContaining('not public') });
    expect([connections, egress.asked]).toEqual([0, []]);
  });

  it.each([
    ['loopback', ['127.0.0.1']],
    ['a private address beside a public one', ['93.184.216.34', '10.0.0.1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['what is no address', ['localhost']],
    ['nothing', []],
  ])('is not connected to behind a name that means %s', async (_, addresses) => {
    const { get, egress } = fetching([]);
    egress.answers = () => addresses;
    await expect(get('https://inside.client.example:PORT/document')).rejects.toMatchObject(refused);
    expect(connections).toBe(0);
  });

  it('is not connected to behind the name that every machine has', async () => {
    const metadata = new MetadataFetch(
      new EgressDns(),
      testEnvironment(database.url),
      limits,
      new DocumentAsker(),
      settings,
    );
    opened.push(metadata);
    await expect(metadata.fetch(`https://localhost:${port}/document`)).rejects.toMatchObject(refused);
    expect(connections).toBe(0);
  });

  it('is not reached by rebinding: what was checked is what is connected to, and each fetch checks again', async () => {
    const { get, egress } = fetching(['127.0.0.1']);
    // The name resolves to a permitted address first and to a forbidden one ever after.
    egress.answers = () => (egress.asked.length === 1 ? ['127.0.0.1'] : ['10.0.0.1']);
    expect((await get('https://rebound.client.example:PORT/document')).status).toBe(200);
    expect(egress.asked).toHaveLength(1);
    await expect(get('https://rebound.client.example:PORT/document')).rejects.toMatchObject({
      message: expect.stringContaining('not public'),
    });
    expect(connections).toBe(1);
  });
});

it.each([
  ['http', 'http://a.client.example:PORT/document'],
  ['a file', 'file:///etc/passwd'],
  ['a user', 'https://me@a.client.example:PORT/document'],
  ['no URL', 'document'],
])('nothing is fetched with %s', async (_, url) => {
  const { get, egress } = fetching();
  await expect(get(url)).rejects.toMatchObject(refused);
  expect([connections, egress.asked]).toEqual([0, []]);
});

it('a host is asked ten times a minute, over all processes; others are not held up', async () => {
  const processes = [fetching(), fetching()];
  const answers = await Promise.allSettled(
    Array.from({ length: 14 }, (_, i) => processes[i % 2]!.get('https://often.client.example:PORT/document')),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  expect(paths).toHaveLength(10);
  await expect(processes[0]!.get('https://seldom.client.example:PORT/document')).resolves.toBeDefined();
});
