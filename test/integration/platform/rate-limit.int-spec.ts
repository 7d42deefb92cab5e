import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseWindowCounter } from '../../../src/platform/rate-limit/counters/database-window-counter.js';
import { FallbackWindowCounter } from '../../../src/platform/rate-limit/counters/fallback-window-counter.js';
import { RateLimitStore } from '../../../src/platform/rate-limit/rate-limit.store.js';
import { RedisWindowCounter } from '../../../src/platform/rate-limit/counters/redis-window-counter.js';
import type { WindowCounter } from '../../../src/platform/rate-limit/counters/window-counter.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { patientCounter } from '../../support/patient.js';
import { TcpProxy } from '../../support/resilience/tcp-proxy.js';

let database: { url: string; dataSource: DataSource };

beforeAll(async () => {
  database = await createMigratedDatabase();
});

afterAll(() => database?.dataSource.destroy());

const storeOn = (counter: WindowCounter) => {
  const clock = new Clock();
  return new RateLimitStore(new FallbackWindowCounter(counter, clock), clock);
};

const databaseStore = () => storeOn(patientCounter(new DatabaseWindowCounter(database.url)));

/** The first use of a store also opens its connection, which must not be part of a measured window. */
const warm = async (store: RateLimitStore) => void (await store.bucket('warm', 5, 60_000).take(randomUUID()));

/** What any store must guarantee, whatever it counts in. */
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

/** Strangers choose parts of keys, which must neither be lost nor run together, whatever their length and letters. */
async function expectAnyKeyCounted(counter: WindowCounter): Promise<void> {
  const long = `metadata-fetch:${randomUUID()}${'a'.repeat(5_000)}`;
  expect(await counter.add(long, 1, 60_000)).toMatchObject({ consumed: 1 });
  expect(await counter.add(long, 1, 60_000)).toMatchObject({ consumed: 2 });
  expect(await counter.add(`${long}b`, 1, 60_000)).toMatchObject({ consumed: 1 });
  expect(await counter.add(`metadata-fetch:${randomUUID()}\0`, 1, 60_000)).toMatchObject({ consumed: 1 });
  await counter.close();
}

/** One key alone gets half of everything, whichever process it asks, and the other keys get their share. */
async function expectFairShares(makeStore: () => RateLimitStore): Promise<void> {
  const stores = [makeStore(), makeStore()];
  await Promise.all(stores.map(warm));
  const name = `fair ${randomUUID()}`;
  const shares = stores.map((store) => store.shares(name, { share: 5, total: 40, windowMs: 60_000 }));
  let allowed = 0;
  for (let i = 0; i < 60; i += 1) if ((await shares[i % 2]!.take('greedy')).allowed) allowed += 1;
  expect(allowed).toBeGreaterThanOrEqual(19);
  expect(allowed).toBeLessThanOrEqual(21);
  for (let i = 0; i < 5; i += 1) expect(await shares[i % 2]!.take('other')).toMatchObject({ allowed: true });
  await Promise.all(stores.map((store) => store.onApplicationShutdown()));
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

  it('give each key of fair shares what is left for it, and take none from the others', async () => {
    await expectFairShares(databaseStore);
  });

  it('count keys of any length', () => expectAnyKeyCounted(patientCounter(new DatabaseWindowCounter(database.url))));

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
/** Without a Redis these tests are listed as skipped, with the reason. */
const describeWithRedis = redisUrl === '' ? describe.skip : describe;
const redisNote = redisUrl === '' ? ' [not run: REDIS_URL is not set]' : '';

describeWithRedis(`Redis${redisNote}`, () => {
  it('lets exactly 120 of 300 concurrent requests through', async () => {
    await expectOneSharedCount(() => new RedisWindowCounter(redisUrl));
  });

  it('gives each key of fair shares what is left for it', async () => {
    await expectFairShares(() => storeOn(new RedisWindowCounter(redisUrl)));
  });

  it('counts keys of any length', () => expectAnyKeyCounted(new RedisWindowCounter(redisUrl)));

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
    const counter = new FallbackWindowCounter(new RedisWindowCounter(url.href), clock);
    const key = `principal:${randomUUID()}`;
    expect(await counter.add(key, 5, 60_000)).toMatchObject({ consumed: 5 });
    proxy.refuse();
    expect(await counter.add(key, 1, 60_000)).toMatchObject({ consumed: 1 });
    expect(counter.isOnFallback).toBe(true);
    proxy.pass();
    await eventually(async () => (await counter.add(`${key}, probing`, 1, 60_000)) && !counter.isOnFallback);
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
