import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { CredentialChanges } from '../../../src/modules/accounts/credential-changes.js';
import { ApiKeyVerifier } from '../../../src/modules/credentials/api-keys/api-key-verifier.js';
import { ApiKeyEntity } from '../../../src/modules/credentials/api-keys/api-key.entity.js';
import { FallbackWindowCounter } from '../../../src/platform/rate-limit/counters/fallback-window-counter.js';
import type { Environment } from '../../../src/platform/config/environment.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { madeUpKey } from '../../support/made-up-key.js';
import { AccessTokenRows } from '../../support/oauth/access-token-rows.js';
import { PROBE_TABLE, type ProbeApp, startProbeApp } from '../../support/probe-app.js';
import { startProbeChild } from './probe-child.js';
import { testEnvironment } from '../../support/test-environment.js';

let database: { url: string; dataSource: DataSource };
let app: ProbeApp;

const settings = (own: Partial<Environment>) =>
  testEnvironment(database.url, { trustedProxies: ['127.0.0.1'], rateLimitAuthFailures: 100_000, ...own });

beforeAll(async () => {
  database = await createMigratedDatabase();
  await database.dataSource.query(PROBE_TABLE);
  app = await startProbeApp(
    settings({ rateLimitPrincipal: 12, rateLimitPrepare: 4, rateLimitAccount: 30, rateLimitAccountPrepare: 10 }),
  );
});

afterAll(async () => {
  await app?.close();
  await database?.dataSource.destroy();
});

const get = (key: string, { path = '/v1/whoami', from = '203.0.113.1', at = app } = {}) =>
  fetch(at.url + path, { headers: { 'X-Api-Key': key, 'X-Forwarded-For': from } });
const write = (key: string, at = app) =>
  fetch(`${at.url}/v1/tasks/t/nodes/${randomUUID()}/abandon-intents`, {
    method: 'POST',
    headers: { 'X-Api-Key': key, 'Idempotency-Key': randomUUID() },
  });
const statusesOf = async (calls: readonly (() => Promise<Response>)[]) => {
  const statuses: number[] = [];
  for (const call of calls) statuses.push((await call()).status);
  return statuses;
};
const times = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

describe('a credential', () => {
  it('has a quota of its own for reads, told on every answer, also on errors', async () => {
    const { keys, accountId } = await app.newCaller();
    const { secret } = await app.keys.create(accountId, { scope: 'read', name: 'second' });
    const answers = [
      await get(keys.read),
      await get(secret),
      await get(keys.worker),
      await get(keys.read, { path: '/v1/tasks/not%20an%20id' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 400]);
    expect(answers.map(({ headers }) => headers.get('X-Limit-Remaining'))).toEqual(['11', '11', '11', '10']);
    const { headers } = answers[0]!;
    expect(headers.get('RateLimit-Policy')).toBe('"reads";q=12;w=60, "account-reads";q=30;w=60');
    expect(headers.get('RateLimit')).toMatch(/^"reads";r=11;t=(?:60|59), "account-reads";r=29;t=(?:60|59)$/);
    expect([...headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  });

  it('beyond it is refused with the time to wait, while others of the same account are not', async () => {
    const { keys } = await app.newCaller();
    const answers = await Promise.all(times(20, 0).map(() => get(keys.read)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(8);
    const { headers } = refused[0]!;
    expect(headers.get('X-Limit-Remaining')).toBe('0');
    expect(headers.get('RateLimit')).toMatch(/^"reads";r=0;t=\d+$/);
    expect(headers.get('Service-Version')).toBe('2026-11-20');
    expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(60);
    expect([...headers.keys()].filter((name) => name.startsWith('retry-after'))).toEqual(['retry-after']);
    expect(await refused[0]!.json()).toEqual({
      error: {
        code: 'rate_limited',
        reason: expect.any(String),
        suggestion: expect.stringMatching(/^Retry in \d+ s\.$/),
      },
    });
    expect((await get(keys.buyer)).status).toBe(403);
    expect((await write(keys.worker)).status).toBe(200);
  });

  it('counts PUT and PATCH as the writes they are', async () => {
    const { keys } = await app.newCaller();
    const statuses: number[] = [];
    for (const method of ['PUT', 'PATCH', 'PUT', 'PATCH', 'PUT', 'PATCH']) {
      const answer = await fetch(`${app.url}/v1/tasks/t1`, { method, headers: { 'X-Api-Key': keys.worker } });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    expect((await write(keys.worker)).status).toBe(429);
  });

  it('has a reserve for writes that no read takes, not even its own', async () => {
    const { keys } = await app.newCaller();
    expect(await statusesOf(times(13, () => get(keys.worker)))).toEqual([...times(12, 403), 429]);
    const answers = [];
    for (let i = 0; i < 5; i += 1) answers.push(await write(keys.worker));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers.get('X-Limit-Remaining'))).toEqual(['3', '2', '1', '0', '0']);
    expect(answers[0]!.headers.get('RateLimit-Policy')).toBe('"writes";q=4;w=60, "account-writes";q=10;w=60');
    expect((await get(keys.read)).headers.get('X-Limit-Remaining')).toBe('11');
  });

  it('is one of several under a ceiling of the account: many keys are not many quotas', async () => {
    const { keys, accountId } = await app.newCaller();
    const more = await Promise.all(
      times(3, 0).map(async (_, i) => (await app.keys.create(accountId, { scope: 'worker', name: `${i}` })).secret),
    );
    const workers = [keys.worker, ...more];
    const written = await statusesOf(workers.flatMap((key) => times(4, () => write(key))));
    expect(written.filter((status) => status === 200)).toHaveLength(10);
    const read = await statusesOf(workers.flatMap((key) => times(12, () => get(key))));
    expect(read.filter((status) => status === 403)).toHaveLength(30);
    const other = await app.newCaller();
    expect((await get(other.keys.read)).status).toBe(200);
  });

  it('that may only read uses up nothing of the writes that others of the account may make', async () => {
    const { keys, accountId } = await app.newCaller();
    const readers = await Promise.all(
      times(3, 0).map(async (_, i) => (await app.keys.create(accountId, { scope: 'read', name: `${i}` })).secret),
    );
    const written = await statusesOf([keys.read, ...readers].flatMap((key) => times(4, () => write(key))));
    expect(written.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(await statusesOf(times(4, () => write(keys.worker)))).toEqual(times(4, 200));
  });

  it('has the same quota in two processes', async () => {
    const child = await startProbeChild(database.url, { PROBE_LIMIT: '12' });
    try {
      const { keys } = await app.newCaller();
      const urls = [app.url, child.url];
      const answers = await Promise.all(
        times(30, 0).map((_, i) => fetch(`${urls[i % 2]}/v1/whoami`, { headers: { 'X-Api-Key': keys.read } })),
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
  let narrow: ProbeApp;

  beforeAll(async () => {
    narrow = await startProbeApp(settings({ rateLimitIp: 5 }));
  });

  afterAll(() => narrow?.close());

  const anonymous = (from: string) => fetch(`${narrow.url}/v1/whoami`, { headers: { 'X-Forwarded-For': from } });
  /** Waits until the request has been charged, which happens after its answer. */
  const settle = () => new Promise((resolve) => setTimeout(resolve, 50));

  it('pays for what is anonymous, and is told so; IPv6 counts by /64', async () => {
    const from = (address: string) => () => anonymous(address);
    const answers = [];
    for (let i = 0; i < 6; i += 1) answers.push(await anonymous('203.0.113.1'));
    expect(answers.map(({ status }) => status)).toEqual([...times(5, 401), 429]);
    expect(answers.map(({ headers }) => headers.get('RateLimit')?.slice(0, 13))).toEqual(
      [4, 3, 2, 1, 0, 0].map((left) => `"address";r=${left}`),
    );
    const { headers } = answers[5]!;
    expect([headers.get('X-Limit-Remaining'), headers.get('Service-Version')]).toEqual(['0', '2026-11-20']);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect(await statusesOf([from('203.0.113.2')])).toEqual([401]);
    const oneSubscriber = ['::1', '::2', ':0:0:ffff::3', '::4', '::5', '::6'].map((end) => from(`2001:db8${end}`));
    expect(await statusesOf(oneSubscriber)).toEqual([...times(5, 401), 429]);
    expect(await statusesOf([from('2001:db8:0:1::1')])).toEqual([401]);
  });

  it('does not pay for who has a good credential: everybody behind it goes on', async () => {
    const people = await Promise.all(times(6, 0).map(() => narrow.newCaller()));
    const calls = people.flatMap(({ keys }) => times(4, () => get(keys.read, { from: '203.0.113.3', at: narrow })));
    expect(await statusesOf(calls)).toEqual(times(24, 200));
    await settle();
    expect((await anonymous('203.0.113.3')).headers.get('X-Limit-Remaining')).toBe('4');
  });

  it('pays for made-up credentials, which then cost no look-up and keep no good one out', async () => {
    const { keys } = await narrow.newCaller();
    const looks = jest.spyOn(narrow.app.get(ApiKeyVerifier), 'verify');
    const flood = (count: number) =>
      statusesOf(times(count, 0).map(() => () => get(madeUpKey(), { from: '203.0.113.4', at: narrow })));
    expect(await flood(8)).toEqual([...times(5, 401), ...times(3, 429)]);
    const before = looks.mock.calls.length;
    expect(await flood(50)).toEqual(times(50, 429));
    expect(looks.mock.calls).toHaveLength(before);
    // The first request is by a key that this process has never seen; the second finds it in memory.
    expect((await get(keys.read, { from: '203.0.113.4', at: narrow })).status).toBe(200);
    expect((await get(keys.read, { from: '203.0.113.4', at: narrow })).status).toBe(200);
    looks.mockRestore();
  });

  it('that floods with a key of its own that is over costs one look-up in a while', async () => {
    const { accountId } = await narrow.newCaller();
    const { key, secret } = await narrow.keys.create(accountId, { scope: 'read', name: 'over' });
    await narrow.keys.revoke(key.id);
    const reads = jest.spyOn(narrow.app.get(DataSource).manager, 'findOneBy');
    // The key's account is read beside the key, so only reads of keys count look-ups.
    const lookUps = () => reads.mock.calls.filter(([entity]) => entity === ApiKeyEntity).length;
    let changes = 0;
    const heard = narrow.app.get(CredentialChanges);
    heard.onChange(() => (changes += 1));
    // A process that has just started does not listen for changes yet, and remembers nothing until it does.
    await eventually(() => heard.isListening);
    const began = performance.now();
    const answers = await statusesOf(times(40, 0).map(() => () => get(secret, { from: '203.0.113.6', at: narrow })));
    const whiles = Math.ceil((performance.now() - began) / 5_000);
    expect(answers.slice(0, 5)).toEqual(times(5, 401));
    expect(answers.slice(5)).toEqual(times(35, 429));
    // Each change of a credential that is heard meanwhile, including its own revocation, makes the process look again.
    expect(lookUps()).toBeGreaterThanOrEqual(1);
    expect(lookUps()).toBeLessThanOrEqual(whiles + changes);
    reads.mockRestore();
  });

  it('does not pay for tokens that were good once: who shares it is told to refresh, however many do', async () => {
    const rows = new AccessTokenRows(
      (text, values) => database.dataSource.query(text, values),
      'https://market.example',
    );
    const { accountId } = await narrow.newCaller();
    const tokens = await Promise.all(
      times(12, 0).map(() => rows.issue(accountId, { payload: { exp: Math.floor(Date.now() / 1000) - 10 } })),
    );
    const calls = tokens.map(
      ({ token }) =>
        () =>
          fetch(`${narrow.url}/v1/whoami`, {
            headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '203.0.113.7' },
          }),
    );
    expect(await statusesOf(calls)).toEqual(times(12, 401));
    expect((await anonymous('203.0.113.7')).headers.get('X-Limit-Remaining')).toBe('4');
  });

  it('pays for a credential on a path that looks at none', async () => {
    const { keys } = await narrow.newCaller();
    for (let i = 0; i < 5; i += 1) await get(keys.read, { from: '203.0.113.8', at: narrow, path: '/v1/open' });
    await eventually(async () => (await anonymous('203.0.113.8')).status === 429);
  });
});

it('a read asks the store for tokens no more often than 1.2 times', async () => {
  const usual = await startProbeApp(testEnvironment(database.url, { rateLimitPrincipal: 120, rateLimitAccount: 600 }));
  const { keys } = await usual.newCaller();
  const asked = jest.spyOn(usual.app.get(FallbackWindowCounter), 'add');
  expect(await statusesOf(times(120, () => get(keys.read, { at: usual })))).toEqual(times(120, 200));
  // One request to the store for each read, for the credential's exact quota, and one in six reads for the account's.
  // Charging the address besides would need one more in six.
  expect(asked.mock.calls.length).toBeLessThanOrEqual(140);
  asked.mockRestore();
  await usual.close();
});
