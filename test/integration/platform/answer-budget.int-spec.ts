import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { Environment } from '../../../src/platform/config/environment.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { PROBE_TABLE, type ProbeApp, startProbeApp } from '../../support/probe-app.js';
import { testEnvironment } from '../../support/test-environment.js';

let database: { url: string; dataSource: DataSource };
const apps: ProbeApp[] = [];

beforeAll(async () => {
  database = await createMigratedDatabase();
  await database.dataSource.query(PROBE_TABLE);
});

afterAll(async () => {
  for (const app of apps) await app.close();
  await database.dataSource.destroy();
});

async function start(own: Partial<Environment>): Promise<ProbeApp> {
  const app = await startProbeApp(testEnvironment(database.url, own));
  apps.push(app);
  return app;
}

function write(app: ProbeApp, key: string, idempotencyKey: string = randomUUID()): Promise<Response> {
  return fetch(`${app.url}/v1/tasks/t/nodes/n/abandon-intents`, {
    method: 'POST',
    headers: { 'X-Api-Key': key, 'Idempotency-Key': idempotencyKey },
  });
}

/**
 * Writes until the account's room is used up, because stored answers are counted only afterwards.
 * @returns the refusal.
 */
async function refusalOf(app: ProbeApp, key: string): Promise<Response> {
  let answer: Response | undefined;
  await eventually(async () => {
    answer = await write(app, key);
    return answer.status !== 200;
  });
  if (answer === undefined) throw new Error('Nothing was written');
  expect(answer.status).toBe(403);
  return answer;
}

it('an account whose stored answers use up its room is refused new ones, and told when there is room', async () => {
  const app = await start({ quotaAnswerBytes: 2_048 });
  const { keys } = await app.newCaller();
  const first = randomUUID();
  const kept = await (await write(app, keys.worker, first)).text();
  const { error } = (await (await refusalOf(app, keys.worker)).json()) as {
    error: { code: string; suggestion: string };
  };
  expect(error).toMatchObject({ code: 'quota_exceeded', suggestion: expect.stringMatching(/room in \d+ minutes/) });
  const replayed = await write(app, keys.worker, first);
  expect([replayed.status, await replayed.text()]).toEqual([200, kept]);
  const other = await app.newCaller();
  expect((await write(app, other.keys.worker)).status).toBe(200);
});

it('what one process has stored counts in another', async () => {
  const [one, two] = [await start({ quotaAnswerBytes: 2_048 }), await start({ quotaAnswerBytes: 2_048 })];
  const { keys } = await one.newCaller();
  await refusalOf(one, keys.worker);
  expect((await write(two, keys.worker)).status).toBe(200);
  await refusalOf(two, keys.worker);
  const written = await database.dataSource.query("SELECT points FROM rate_limits WHERE key LIKE 'answers:%'");
  expect(written).not.toEqual([]);
});

it('no room is no limit', async () => {
  const app = await start({ quotaAnswerBytes: 0 });
  const { keys } = await app.newCaller();
  for (let n = 0; n < 20; n += 1) expect((await write(app, keys.worker)).status).toBe(200);
});
