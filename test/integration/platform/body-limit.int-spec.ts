import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { UNCOUNTED_BODY_BYTES } from '../../../src/platform/rate-limit/body-bytes-budget.js';
import { createMigratedDatabase } from '../../support/database.js';
import { PROBE_TABLE, type ProbeApp, startProbeApp } from '../../support/probe-app.js';
import { testEnvironment } from '../../support/test-environment.js';

const LIMIT = 131_072;

let database: { url: string; dataSource: DataSource };
let app: ProbeApp;
let other: ProbeApp;

beforeAll(async () => {
  database = await createMigratedDatabase();
  await database.dataSource.query(PROBE_TABLE);
  const environment = testEnvironment(database.url, { rateLimitBodyBytes: LIMIT });
  [app, other] = await Promise.all([startProbeApp(environment), startProbeApp(environment)]);
});

afterAll(async () => {
  await Promise.all([app?.close(), other?.close()]);
  await database?.dataSource.destroy();
});

/** A JSON object of exactly this many bytes. */
function bodyOf(bytes: number): string {
  const [head, end] = ['{"a":"', '"}'];
  return head + 'x'.repeat(bytes - head.length - end.length) + end;
}

function write(key: string, body: string | undefined, at = app): Promise<Response> {
  return fetch(`${at.url}/v1/tasks/t/nodes/${randomUUID()}/abandon-intents`, {
    method: 'POST',
    headers: { 'X-Api-Key': key, 'Idempotency-Key': randomUUID(), 'Content-Type': 'application/json' },
    body,
  });
}

it('an account sends so many bytes in large bodies a minute, by whichever credential and process', async () => {
  const { keys, accountId } = await app.newCaller();
  const { secret } = await app.keys.create(accountId, { scope: 'worker', name: 'second' });
  const statuses = [];
  for (const [key, at] of [
    [keys.worker, app],
    [secret, app],
    [keys.worker, other],
    [secret, other],
  ] as const) {
    statuses.push((await write(key, bodyOf(LIMIT / 2), at)).status);
  }
  expect(statuses).toEqual([200, 200, 429, 429]);
});

it('a refusal says when to come again, and is made before the body is looked at', async () => {
  const { keys } = await app.newCaller();
  for (let n = 0; n < 2; n += 1) await write(keys.worker, bodyOf(LIMIT / 2));
  const refused = await write(keys.worker, `{"a":${'['.repeat(UNCOUNTED_BODY_BYTES)}`);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
  expect(refused.headers.get('X-Limit-Remaining')).toBe('0');
  expect(await refused.json()).toMatchObject({
    error: { code: 'rate_limited', reason: expect.stringContaining('bytes in large bodies') },
  });
});

it('bodies of the usual size, and other accounts, are not held up by it', async () => {
  const [caller, neighbour] = await Promise.all([app.newCaller(), app.newCaller()]);
  for (let n = 0; n < 3; n += 1) await write(caller.keys.worker, bodyOf(LIMIT / 2));
  const answers = [
    await write(caller.keys.worker, bodyOf(UNCOUNTED_BODY_BYTES + 1)),
    await write(caller.keys.worker, bodyOf(UNCOUNTED_BODY_BYTES)),
    await write(caller.keys.worker, undefined),
    await write(neighbour.keys.worker, bodyOf(LIMIT / 2)),
  ];
  expect(answers.map(({ status }) => status)).toEqual([429, 200, 200, 200]);
});

it('a body without a length told before is counted by what was read', async () => {
  const { keys } = await app.newCaller();
  const statuses = [];
  for (let n = 0; n < 3; n += 1) {
    const answer = await fetch(`${app.url}/v1/tasks/t/nodes/${randomUUID()}/abandon-intents`, {
      method: 'POST',
      headers: { 'X-Api-Key': keys.worker, 'Idempotency-Key': randomUUID(), 'Content-Type': 'application/json' },
      body: new Blob([bodyOf(LIMIT / 2)]).stream(),
      duplex: 'half',
    } as RequestInit);
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([200, 200, 429]);
});
