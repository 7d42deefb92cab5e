import { request as httpRequest } from 'node:http';
import { type RunningServer, startServer } from '../../../src/server.js';
import { ChainMarket } from '../../support/chain-market.js';
import { createDatabase, createMigratedDatabase } from '../../support/database.js';
import { RpcProxy } from '../../support/rpc-proxy.js';
import { testEnvironment } from '../../support/test-environment.js';

let market: ChainMarket;
let server: RunningServer;
let databaseUrl: string;

/** Settings of a service with its own chain and database, on free ports. */
function environment(url: string, overrides: object = {}) {
  return testEnvironment(url, {
    rpcUrl: market.anvil.url,
    escrowFactoryAddress: market.factory,
    port: 0,
    managementPort: 0,
    logLevel: 'silent',
    drainSeconds: 0,
    chainPollMs: 100,
    ...overrides,
  });
}

beforeAll(async () => {
  market = await ChainMarket.start();
  const { url, dataSource } = await createMigratedDatabase();
  await dataSource.destroy();
  databaseUrl = url;
  server = await startServer(environment(url));
});

afterAll(async () => {
  await server?.close();
  await market?.stop();
});

const get = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${server.url}${path}`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const manage = async (path: string, of: RunningServer = server) => {
  const response = await fetch(`${of.managementUrl}${path}`);
  return { status: response.status, text: await response.text() };
};

describe('the order of checks', () => {
  it('an unknown path and a wrong method come before the credential', async () => {
    expect((await get('/v1/nothing')).status).toBe(404);
    const refused = await get('/v1/tasks', { method: 'DELETE' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('the version comes before the credential', async () => {
    expect((await get('/v1/tasks', { headers: { 'service-version': 'x' } })).text).toContain('invalid_version');
  });

  it('the credential comes before parameters, body and key', async () => {
    expect((await get('/v1/tasks?limit=0')).status).toBe(401);
    const path = '/v1/tasks/!/nodes/!/abandon-intents';
    expect((await get(path, { method: 'POST', body: '{', headers: { 'content-type': 'text/plain' } })).status).toBe(
      401,
    );
  });
});

describe('documents', () => {
  it('/openapi.json describes this service at its public address', async () => {
    const { status, headers, text } = await get('/openapi.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    const document: any = JSON.parse(text);
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: 'https://market.example' }]);
  });

  it('/asyncapi.json and the schema of each event describe what it tells, and no other type has one', async () => {
    const { status, headers, text } = await get('/asyncapi.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    const document: any = JSON.parse(text);
    expect(document.servers.service).toMatchObject({ host: 'market.example', protocol: 'https' });
    for (const type of Object.keys(document.components.messages)) {
      const schema = await get(`/schemas/events/${type}.json`);
      expect([type, schema.status, schema.headers.get('content-type')]).toEqual([type, 200, 'application/schema+json']);
      expect(JSON.parse(schema.text)).toMatchObject({
        $id: `https://market.example/schemas/events/${type}.json`,
        title: type,
      });
    }
    for (const none of ['quote.eaten', 'toString', '__proto__', 'quote.submitted.json']) {
      const { status: refused, text: said } = await get(`/schemas/events/${none}.json`);
      expect([none, refused, JSON.parse(said).error.code]).toEqual([none, 404, 'not_found']);
    }
  });

  it('/docs and its parts come from here, under a policy that lets nothing else in', async () => {
    const page = await get('/docs');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    const links = [...page.text.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links).toHaveLength(4);
    for (const link of links) expect([link, (await get(link)).status]).toEqual([link, 200]);
    expect(page.text).not.toMatch(/https?:\/\//);
    expect(page.text).not.toMatch(/<script>|\son\w+=/);
  });
});

describe('the management listener', () => {
  it('says that the service lives, has started and is ready', async () => {
    expect((await manage('/health/live')).status).toBe(200);
    expect((await manage('/health/startup')).status).toBe(200);
    const ready = await manage('/health/ready');
    expect(JSON.parse(ready.text)).toEqual({
      status: 'ok',
      reads: 'ok',
      writes: 'ok',
      checks: { database: 'ok', migrations: 'ok', chain: 'ok' },
    });
  });

  it('counts requests by route template', async () => {
    await get('/v1/tasks/task_secret');
    const { text } = await manage('/metrics');
    expect(text).toMatch(
      /http_request_duration_seconds_count\{route="\/v1\/tasks\/\{task_id\}",method="GET",status="401"\} \d/,
    );
    expect(text).not.toContain('task_secret');
    expect(text).toContain('database_pool_open');
  });

  it('is not reachable through the public one', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics']) expect((await get(path)).status).toBe(404);
  });
});

it('while the chain is away the service is ready to be read from, not to prepare, and says so', async () => {
  const proxy = await RpcProxy.start(market.anvil.url);
  const other = await startServer(environment(databaseUrl, { rpcUrl: proxy.url, indexerEnabled: false }));
  await proxy.stop();
  const deadline = performance.now() + 10_000;
  let writes = await manage('/health/ready/writes', other);
  while (writes.status === 200 && performance.now() < deadline) writes = await manage('/health/ready/writes', other);
  const ready = await manage('/health/ready', other);
  await other.close();
  const parts = { reads: 'ok', writes: 'failing', checks: { database: 'ok', migrations: 'ok', chain: 'failing' } };
  expect([writes.status, JSON.parse(writes.text)]).toEqual([503, { status: 'failing', ...parts }]);
  expect([ready.status, JSON.parse(ready.text)]).toEqual([200, { status: 'ok', ...parts }]);
});

it('refuses a database without the whole schema, and says what to run', async () => {
  await expect(startServer(environment(await createDatabase()))).rejects.toThrow(/npm run migrate/);
});

it('migrates before it listens when it is told to', async () => {
  const other = await startServer(environment(await createDatabase(), { migrateOnStart: true }));
  const ready = await manage('/health/ready', other);
  await other.close();
  expect([ready.status, ready.text]).toEqual([200, expect.stringContaining('"migrations":"ok"')]);
});

it('refuses to start on another chain, with a sentence', async () => {
  await expect(startServer(environment(databaseUrl, { chainId: 8453 }))).rejects.toThrow(/chain/i);
});

it('refuses a port that is taken', async () => {
  const port = Number(new URL(server.url).port);
  await expect(startServer(environment(databaseUrl, { port }))).rejects.toThrow(/EADDRINUSE/);
});

it('a drain turns ready off at once, and ends what is running before it closes', async () => {
  const other = await startServer(environment(databaseUrl, { drainSeconds: 5, indexerEnabled: false }));
  const draining = other.drain();
  expect(await manage('/health/ready', other)).toEqual({ status: 503, text: '{"status":"draining"}' });
  expect((await manage('/health/live', other)).status).toBe(200);
  expect((await fetch(`${other.url}/openapi.json`)).status).toBe(200);
  await draining;
  await expect(fetch(`${other.url}/openapi.json`)).rejects.toThrow();
  await expect(fetch(`${other.managementUrl}/health/live`)).rejects.toThrow();
});

it('closing does not wait for callers that keep their connection', async () => {
  const other = await startServer(environment(databaseUrl, { indexerEnabled: false }));
  await new Promise<void>((resolve, reject) => {
    httpRequest(`${other.url}/openapi.json`, { headers: { connection: 'keep-alive' } }, (response) => {
      response.resume().once('end', resolve);
    })
      .once('error', reject)
      .end();
  });
  const startedAt = performance.now();
  await other.close();
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
