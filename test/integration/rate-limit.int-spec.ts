import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseWindowCounter } from '../../src/platform/rate-limit/database-window-counter.js';
import { InsuredWindowCounter } from '../../src/platform/rate-limit/insured-window-counter.js';
import { RateLimitStore } from '../../src/platform/rate-limit/rate-limit.store.js';
import { RedisWindowCounter } from '../../src/platform/rate-limit/redis-window-counter.js';
import type { WindowCounter } from '../../src/platform/rate-limit/window-counter.js';
import { Clock } from '../../src/platform/time/clock.js';
import { createMigratedDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { patientCounter } from '../support/patient.js';
import { PROBE_TABLE, type ProbeApp, startProbeApp } from '../support/probe-app.js';
import { startProbeChild } from '../support/probe-child.js';
import { TcpProxy } from '../support/resilience/tcp-proxy.js';
import { testEnvironment } from '../support/test-environment.js';

let database: { url: string; dataSource: DataSource };

beforeAll(async () => {
  database = await createMigratedDatabase();
  await database.dataSource.query(PROBE_TABLE);
});

afterAll(() => database?.dataSource.destroy());

const storeOn = (counter: WindowCounter) => {
  const clock = new Clock();
  return new RateLimitStore(new InsuredWindowCounter(counter, clock), clock);
};

const databaseStore = () => storeOn(patientCounter(new DatabaseWindowCounter(database.url)));

/** The first answer of a store also opens its connection, which windows that are measured leave out. */
const warm = async (store: RateLimitStore) => void (await store.bucket('warm', 5, 60_000).take(randomUUID()));

/** What any store must hold, whatever it counts in. */
async function expectOneSharedCount(makeCounter: () => WindowCounter): Promise<void> {
  const stores = [storeOn(makeCounter()), storeOn(makeCounter())];
  const key = randomUUID();
  await Promise.all(stores.map(warm));
  const grants = await Promise.all(
    Array.from({ length: 300 }, async (_, i) => stores[i % 2]!.bucket('principal', 120, 60_000).take(key)),
  );
  const allowed = grants.filter((grant) => grant.allowed);
  expect(allowed).toHaveLength(120);
  const nowMs = Date.now();
  expect(grants.every(({ endsAtMs }) => endsAtMs > nowMs + 50_000 && endsAtMs <= nowMs + 60_000)).toBe(true);
  // A process that starts now sees the same window.
  const late = storeOn(makeCounter());
  await warm(late);
  expect(await late.bucket('principal', 120, 60_000).take(key)).toMatchObject({ allowed: false, remaining: 0 });
  await Promise.all([...stores, late].map((store) => store.onApplicationShutdown()));
}

describe('two processes on one Postgres', () => {
  it('let exactly 120 of 300 concurrent requests through', async () => {
    await expectOneSharedCount(() => patientCounter(new DatabaseWindowCounter(database.url)));
  });

  it('never grant more than a large quota, although they lease from it', async () => {
    const stores = [0, 1].map(databaseStore);
    const key = randomUUID();
    let allowed = 0;
    for (let round = 0; round < 30; round++) {
      const takes = Array.from({ length: 40 }, async (_, i) => stores[i % 2]!.bucket('large', 1000, 60_000).take(key));
      allowed += (await Promise.all(takes)).filter((grant) => grant.allowed).length;
    }
    expect(allowed).toBeLessThanOrEqual(1000);
    expect(allowed).toBeGreaterThan(980);
    await Promise.all(stores.map((store) => store.onApplicationShutdown()));
  });

  it('begin a new window when the old one has ended', async () => {
    const store = databaseStore();
    await warm(store);
    const bucket = store.bucket('short', 1, 3_000);
    expect(await bucket.take('k')).toMatchObject({ allowed: true });
    expect(await bucket.take('k')).toMatchObject({ allowed: false });
    await new Promise((resolve) => setTimeout(resolve, 3_050));
    expect(await bucket.take('k')).toMatchObject({ allowed: true });
    await store.onApplicationShutdown();
  });

  it('count in a table that is not written to the log', async () => {
    const [row] = await database.dataSource.query("SELECT relpersistence FROM pg_class WHERE relname = 'rate_limits'");
    expect(row.relpersistence).toBe('u');
  });
});

describe('the storage of the throttler package', () => {
  it('counts hits and says when a key is blocked', async () => {
    const store = databaseStore();
    await warm(store);
    const hit = () => store.increment('k', 60_000, 2, 0, 'throttler');
    const [first, second, third] = [await hit(), await hit(), await hit()];
    const timeToExpire = expect.any(Number);
    expect(first).toEqual({ totalHits: 1, timeToExpire, isBlocked: false, timeToBlockExpire: 0 });
    expect(second).toMatchObject({ totalHits: 2, isBlocked: false });
    expect(third).toMatchObject({ totalHits: 3, isBlocked: true });
    for (const seconds of [first.timeToExpire, third.timeToBlockExpire]) expect([59, 60]).toContain(seconds);
    await store.onApplicationShutdown();
  });
});

const redisUrl = process.env.REDIS_URL ?? '';
/** Without a Redis its tests are shown as skipped, and say why. */
const describeWithRedis = redisUrl === '' ? describe.skip : describe;
const redisNote = redisUrl === '' ? ' [not run: REDIS_URL is not set]' : '';

describeWithRedis(`Redis${redisNote}`, () => {
  it('lets exactly 120 of 300 concurrent requests through', async () => {
    await expectOneSharedCount(() => new RedisWindowCounter(redisUrl));
  });

  it('counts every key from the first request on, while its connection is still being made', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const store = storeOn(new RedisWindowCounter(redisUrl));
    const keys = Array.from({ length: 50 }, () => randomUUID());
    await Promise.all(keys.map(async (key) => store.bucket('principal', 1, 60_000).take(key)));
    const other = storeOn(new RedisWindowCounter(redisUrl));
    const again = await Promise.all(keys.map(async (key) => other.bucket('principal', 1, 60_000).take(key)));
    expect(again.filter((grant) => grant.allowed)).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
    await Promise.all([store, other].map((one) => one.onApplicationShutdown()));
  });

  it('that goes away and comes back counts on where it was', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    jest.spyOn(Logger.prototype, 'log').mockImplementation();
    const url = new URL(redisUrl);
    const proxy = await TcpProxy.start(Number(url.port || 6379));
    url.port = String(proxy.port);
    const clock = new Clock();
    const counter = new InsuredWindowCounter(new RedisWindowCounter(url.href), clock);
    const key = `principal:${randomUUID()}`;
    expect(await counter.add(key, 5, 60_000)).toMatchObject({ consumed: 5 });
    proxy.refuse();
    expect(await counter.add(key, 1, 60_000)).toMatchObject({ consumed: 1 });
    expect(counter.isInsured).toBe(true);
    proxy.pass();
    await eventually(async () => (await counter.add(`${key}, probing`, 1, 60_000)) && !counter.isInsured);
    expect(await counter.add(key, 1, 60_000)).toMatchObject({ consumed: 6 });
    await counter.close();
    await proxy.stop();
  });
});

describe('a Redis', () => {
  it('that is away costs no outage and lifts no limit', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const store = storeOn(new RedisWindowCounter('redis://127.0.0.1:1'));
    const takes = Array.from({ length: 300 }, async () => store.bucket('principal', 120, 60_000).take('k'));
    expect((await Promise.all(takes)).filter((grant) => grant.allowed)).toHaveLength(120);
    expect(warn).toHaveBeenCalledTimes(1);
    await store.onApplicationShutdown();
  });
});

describe('a principal', () => {
  let app: ProbeApp;
  const get = (path: string, key: string, url = app.url) => fetch(url + path, { headers: { 'X-Api-Key': key } });
  const write = (key: string, node: string) =>
    fetch(`${app.url}/v1/tasks/t/nodes/${node}/abandon-intents`, {
      method: 'POST',
      headers: { 'X-Api-Key': key, 'Idempotency-Key': randomUUID() },
    });

  beforeAll(async () => {
    app = await startProbeApp(testEnvironment(database.url, { rateLimitPrincipal: 12, rateLimitPrepare: 4 }));
  });

  afterAll(() => app?.close());

  it('has one quota for all operations and all keys, told on every response, also on errors', async () => {
    const { keys, accountId } = await app.newCaller();
    const { secret } = await app.keys.create(accountId, { scope: 'read', name: 'second' });
    const answers = [
      await get('/v1/whoami', keys.read),
      await get('/v1/tasks/t1', secret),
      await get('/v1/whoami', keys.worker),
      await get('/v1/tasks/not%20an%20id', keys.read),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 400]);
    expect(answers.map(({ headers }) => headers.get('X-Limit-Remaining'))).toEqual(['11', '10', '9', '8']);
    const { headers } = answers[0]!;
    expect(headers.get('RateLimit-Policy')).toBe('"principal";q=12;w=60');
    expect(headers.get('RateLimit')).toMatch(/^"principal";r=11;t=(60|59)$/);
    expect([...headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  });

  it('beyond it is refused with the time to wait, while others are not', async () => {
    const { keys } = await app.newCaller();
    const answers = await Promise.all(Array.from({ length: 20 }, () => get('/v1/whoami', keys.read)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(8);
    const [answer] = refused;
    expect(answer!.headers.get('X-Limit-Remaining')).toBe('0');
    expect(answer!.headers.get('Service-Version')).toBe('2026-11-20');
    expect(Number(answer!.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect(Number(answer!.headers.get('Retry-After'))).toBeLessThanOrEqual(60);
    expect([...answer!.headers.keys()].filter((name) => name.startsWith('retry-after'))).toEqual(['retry-after']);
    expect(await answer!.json()).toEqual({
      error: {
        code: 'rate_limited',
        reason: expect.any(String),
        suggestion: expect.stringMatching(/^Retry in \d+ s\.$/),
      },
    });
    const other = await app.newCaller();
    expect((await get('/v1/whoami', other.keys.read)).status).toBe(200);
  });

  it('has a smaller quota of writes, and the smaller number is told', async () => {
    const { keys } = await app.newCaller();
    const answers = [];
    for (let i = 0; i < 5; i++) answers.push(await write(keys.worker, `n${i}`));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers.get('X-Limit-Remaining'))).toEqual(['3', '2', '1', '0', '0']);
    expect(answers[0]!.headers.get('RateLimit-Policy')).toBe('"principal";q=12;w=60, "prepare";q=4;w=60');
    expect((await get('/v1/whoami', keys.read)).headers.get('X-Limit-Remaining')).toBe('6');
  });

  it('has the same quota in two processes', async () => {
    const child = await startProbeChild(database.url, { PROBE_LIMIT: '12' });
    try {
      const { keys } = await app.newCaller();
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, i) => get('/v1/whoami', keys.read, i % 2 ? child.url : app.url)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(12);
    } finally {
      await child.kill();
    }
  });

  it('is not counted on an open route', async () => {
    const answer = await fetch(`${app.url}/v1/open`);
    expect([answer.status, answer.headers.get('X-Limit-Remaining')]).toEqual([200, null]);
  });
});

describe('a client address', () => {
  it('beyond its quota is refused before authentication; IPv6 counts by /64', async () => {
    const environment = testEnvironment(database.url, { rateLimitIp: 3, trustedProxies: ['127.0.0.1'] });
    const app = await startProbeApp(environment);
    const from = (address: string) => fetch(`${app.url}/v1/whoami`, { headers: { 'X-Forwarded-For': address } });
    const statuses = async (addresses: string[]) => {
      const answers = [];
      for (const address of addresses) answers.push((await from(address)).status);
      return answers;
    };
    expect(await statuses(Array.from({ length: 4 }, () => '203.0.113.1'))).toEqual([401, 401, 401, 429]);
    expect(await statuses(['203.0.113.2'])).toEqual([401]);
    const oneSubscriber = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3', '2001:db8::4'];
    expect(await statuses(oneSubscriber)).toEqual([401, 401, 401, 429]);
    expect(await statuses(['2001:db8:0:1::1'])).toEqual([401]);
    const { headers } = await from('203.0.113.1');
    expect([headers.get('X-Limit-Remaining'), headers.get('Service-Version')]).toEqual(['0', '2026-11-20']);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    await app.close();
  });
});
