import { createHash, randomUUID } from 'node:crypto';
import http from 'node:http';
import { DataSource } from 'typeorm';
import { ApiError } from '../../../src/platform/http/api-error.js';
import { IdempotencySweeper } from '../../../src/platform/idempotency/idempotency.sweeper.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { probe, PROBE_TABLE, type ProbeApp, startProbeApp } from '../../support/probe-app.js';
import { startProbeChild } from './probe-child.js';
import { testEnvironment } from '../../support/test-environment.js';

let database: { url: string; dataSource: DataSource };
let app: ProbeApp;
let other: ProbeApp;
let worker: string;
let accountId: string;

const newNode = () => `node_${randomUUID()}`;
const newKey = () => randomUUID();
const pathOf = (node: string, task = 't1', intent = 'abandon-intents') => `/v1/tasks/${task}/nodes/${node}/${intent}`;

interface Sent {
  key?: string | string[];
  body?: string;
  headers?: Record<string, string>;
  credential?: string;
  url?: string;
}

interface Answer {
  status: number;
  text: string;
  headers: http.IncomingHttpHeaders;
  code: string | undefined;
}

/** Sends a POST by node:http, because fetch can neither repeat headers nor send every octet. */
function post(
  path: string,
  { key, body, headers = {}, credential = worker, url = app.url }: Sent = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(url + path, { method: 'POST', agent: false });
    request.setHeader('X-Api-Key', credential);
    if (key !== undefined) request.setHeader('Idempotency-Key', key);
    if (body !== undefined) request.setHeader('Content-Type', 'application/json');
    for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
    request.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const parsed = text === '' ? {} : JSON.parse(text);
        resolve({ status: response.statusCode!, text, headers: response.headers, code: parsed.error?.code });
      });
    });
    request.end(body);
  });
}

const effects = async (node: string): Promise<number> => {
  const [{ count }] = await database.dataSource.query('SELECT count(*)::int FROM probe_effects WHERE node = $1', [
    node,
  ]);
  return count;
};
const records = async (): Promise<number> => {
  const [{ count }] = await database.dataSource.query('SELECT count(*)::int FROM idempotency_records');
  return count;
};

beforeAll(async () => {
  database = await createMigratedDatabase();
  await database.dataSource.query(PROBE_TABLE);
  [app, other] = await Promise.all([
    startProbeApp(testEnvironment(database.url)),
    startProbeApp(testEnvironment(database.url)),
  ]);
  const caller = await app.newCaller();
  worker = caller.keys.worker;
  accountId = caller.accountId;
});

afterAll(async () => {
  await Promise.all([app?.close(), other?.close()]);
  await database?.dataSource.destroy();
});

afterEach(() => {
  probe.afterEffect = () => Promise.resolve();
});

describe('the key', () => {
  it.each([
    ['is missing', undefined, 'idempotency_key_missing'],
    ['is empty', '', 'idempotency_key_invalid'],
    ['has 256 characters', 'k'.repeat(256), 'idempotency_key_invalid'],
    ['is sent twice', ['a', 'b'], 'idempotency_key_invalid'],
    ['is sent twice with one value', ['a', 'a'], 'idempotency_key_invalid'],
  ])('%s: 400, and nothing happens', async (_, key, code) => {
    const node = newNode();
    const answer = await post(pathOf(node), { key: key as string });
    expect([answer.status, answer.code, await effects(node)]).toEqual([400, code, 0]);
  });

  it.each([
    ['255 characters', 'k'.repeat(255)],
    ['quotes, commas and blanks', '"a, b" c'],
    ['octets beyond ASCII', 'clé-\u00ff\u0080'],
    ['SQL', "'; DROP TABLE idempotency_records; --"],
  ])('may hold %s', async (_, key) => {
    const node = newNode();
    const first = await post(pathOf(node), { key });
    const second = await post(pathOf(node), { key: ` ${key}\t` });
    expect([first.status, second.text, await effects(node)]).toEqual([200, first.text, 1]);
  });

  it('is neither stored nor kept in what the record says', async () => {
    const key = newKey();
    const node = newNode();
    const { text } = await post(pathOf(node), { key });
    const rows = await database.dataSource.query('SELECT idempotency_records::text AS row FROM idempotency_records');
    const all = rows.map(({ row }: { row: string }) => row).join('\n');
    expect(all).not.toContain(key);
    expect(all).not.toContain(Buffer.from(key).toString('hex'));
    expect(all).not.toContain(Buffer.from(JSON.parse(text).action_id).toString('hex'));
  });

  it('is ignored on a read', async () => {
    const reader = (await app.newCaller()).keys.read;
    const answer = await fetch(`${app.url}/v1/whoami`, { headers: { 'X-Api-Key': reader, 'Idempotency-Key': '' } });
    expect(answer.status).toBe(200);
  });
});

describe('the same request again', () => {
  it('has the same bytes, a mark, fresh headers of its own, and no second effect', async () => {
    const node = newNode();
    const key = newKey();
    const first = await post(pathOf(node), { key });
    const second = await post(pathOf(node), { key });
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true', 'service-version': '2026-11-20' });
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(Number(second.headers['x-limit-remaining'])).toBe(Number(first.headers['x-limit-remaining']) - 1);
    expect(await effects(node)).toBe(1);
  });

  it.each([
    ['members in another order', '{"a":1,"b":[2]}', '{ "b": [2], "a": 1 }'],
    ['another spelling of a number', '{"a":1}', '{"a":1.0}'],
    ['an escaped letter', '{"a":"x"}', '{"a":"\\u0078"}'],
  ])('may come with %s', async (_, one, two) => {
    const node = newNode();
    const key = newKey();
    const first = await post(pathOf(node), { key, body: one });
    expect((await post(pathOf(node), { key, body: two })).text).toBe(first.text);
  });

  it('may spell its path with escapes, and have been pointed elsewhere by a query', async () => {
    const key = newKey();
    const first = await post(pathOf('n1', 'tx'), { key });
    expect((await post(pathOf('%6e1', 't%78'), { key })).text).toBe(first.text);
  });

  it('may use another credential of the same account', async () => {
    const node = newNode();
    const key = newKey();
    const { secret } = await app.keys.create(accountId, { scope: 'worker', name: 'second' });
    const first = await post(pathOf(node), { key });
    expect((await post(pathOf(node), { key, credential: secret })).text).toBe(first.text);
  });

  it('may name the version that served the first', async () => {
    const node = newNode();
    const key = newKey();
    const first = await post(pathOf(node), { key });
    const second = await post(pathOf(node), { key, headers: { 'Service-Version': '2026-11-20' } });
    expect(second.text).toBe(first.text);
  });

  it('may name any date that the same version serves, and no other version', async () => {
    const node = newNode();
    const key = newKey();
    const named = (version: string) => post(pathOf(node), { key, headers: { 'Service-Version': version } });
    const first = await named('2026-09-01');
    expect([first.status, first.headers['service-version']]).toEqual([200, '2026-08-16']);
    for (const version of ['2026-08-16', '2026-11-19']) {
      const again = await named(version);
      expect([again.text, again.headers['service-version']]).toEqual([first.text, '2026-08-16']);
    }
    expect((await named('2026-11-20')).code).toBe('idempotency_key_conflict');
    const unnamed = await post(pathOf(node), { key });
    expect([unnamed.text, unnamed.headers['service-version'], await effects(node)]).toEqual([
      first.text,
      '2026-08-16',
      1,
    ]);
  });

  it('gets the version of the record when the default has moved since and it names none', async () => {
    const node = newNode();
    const key = newKey();
    const first = await post(pathOf(node), { key });
    const moved = "UPDATE idempotency_records SET api_version = '2025-01-01' WHERE account_id = $1";
    await database.dataSource.query(moved, [accountId]);
    const second = await post(pathOf(node), { key });
    expect([second.text, second.headers['service-version']]).toEqual([first.text, '2025-01-01']);
    const third = await post(pathOf(node), { key, headers: { 'Service-Version': '2026-11-20' } });
    expect(third.code).toBe('idempotency_key_conflict');
  });
});

describe('another request with the same key', () => {
  const conflict = async (change: (node: string) => [string, Sent]) => {
    const node = newNode();
    const key = newKey();
    const first = await post(pathOf(node), { key, body: '{"a":1}' });
    const [path, sent] = change(node);
    const answer = await post(path, { body: '{"a":1}', ...sent, key });
    expect([first.status, answer.status, answer.code]).toEqual([200, 409, 'idempotency_key_conflict']);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
    expect(await effects(node)).toBe(1);
    return answer.text;
  };

  it('is the same 409 whatever differs, and tells nothing of the first', async () => {
    const bodies = [
      await conflict((node) => [pathOf(`${node}x`), {}]),
      await conflict((node) => [pathOf(node, 't2'), {}]),
      await conflict((node) => [pathOf(node), { body: '{"a":2}' }]),
      await conflict((node) => [pathOf(node), { body: '{}' }]),
      await conflict((node) => [pathOf(node), { body: undefined }]),
    ];
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).not.toMatch(/node_|act_|acct_/);
  });

  it('is another key for another principal: it executes and differs', async () => {
    const node = newNode();
    const key = newKey();
    const first = await post(pathOf(node), { key });
    const second = await post(pathOf(node), { key, credential: (await app.newCaller()).keys.worker });
    expect([first.status, second.status, await effects(node)]).toEqual([200, 200, 2]);
    expect(second.text).not.toBe(first.text);
  });

  it('is another key for another operation', async () => {
    const node = newNode();
    const key = newKey();
    await post(pathOf(node), { key });
    const second = await post(pathOf(node, 't1', 'other-intents'), { key });
    expect([second.status, await effects(node)]).toEqual([200, 2]);
  });
});

describe('a refusal', () => {
  it('with a status other than 409 undoes everything and leaves the key free', async () => {
    const node = newNode();
    const key = newKey();
    for (const code of ['not_found', 'not_node_worker', 'service_unavailable'] as const) {
      probe.afterEffect = () => Promise.reject(new ApiError(code, 'no'));
      expect((await post(pathOf(node), { key })).code).toBe(code);
    }
    probe.afterEffect = () => Promise.reject(new Error('boom'));
    expect((await post(pathOf(node), { key })).status).toBe(500);
    expect(await effects(node)).toBe(0);
    probe.afterEffect = () => Promise.resolve();
    const fresh = await post(pathOf(node), { key });
    expect([fresh.status, fresh.headers['idempotent-replayed'], await effects(node)]).toEqual([200, undefined, 1]);
  });

  it('for the state is kept with its bytes, but none of its effects; a new key is not bound by it', async () => {
    const node = newNode();
    const key = newKey();
    probe.afterEffect = () => Promise.reject(new ApiError('node_not_funded', 'It is not funded.', 'Fund it.'));
    const first = await post(pathOf(node), { key });
    probe.afterEffect = () => Promise.resolve();
    const second = await post(pathOf(node), { key });
    expect([first.status, second.status, second.text]).toEqual([409, 409, first.text]);
    expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    expect(JSON.parse(second.text).error).toEqual({
      code: 'node_not_funded',
      reason: 'It is not funded.',
      suggestion: 'Fund it.',
    });
    expect(await effects(node)).toBe(0);
    expect((await post(pathOf(node), { key: newKey() })).status).toBe(200);
  });

  it('before the key is looked at binds nothing: bad body, no scope, no credential', async () => {
    const node = newNode();
    const key = newKey();
    const before = await records();
    const caller = await app.newCaller();
    expect((await post(pathOf(node), { key, body: '{' })).status).toBe(400);
    expect((await post(pathOf(node), { key, credential: caller.keys.read })).status).toBe(403);
    expect((await post(pathOf(node), { key, credential: 'junk' })).status).toBe(401);
    expect(await records()).toBe(before);
    expect((await post(pathOf(node), { key })).status).toBe(200);
  });
});

describe('a credential that has lost its right', () => {
  it('gets no replay', async () => {
    const caller = await app.newCaller();
    const node = newNode();
    const key = newKey();
    const sent = { key, credential: caller.keys.worker };
    expect((await post(pathOf(node), sent)).status).toBe(200);
    const worker = (await app.keys.list(caller.accountId)).find(({ scope }) => scope === 'worker')!;
    await app.keys.revoke(worker.id);
    const after = await post(pathOf(node), { ...sent, url: other.url });
    expect([after.status, after.code]).toEqual([401, 'api_key_revoked']);
  });
});

describe('racing requests', () => {
  it('100 with one key on two services execute once and have the same bytes', async () => {
    const node = newNode();
    const key = newKey();
    probe.afterEffect = () => new Promise((resolve) => setTimeout(resolve, 50));
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => post(pathOf(node), { key, url: i % 2 ? app.url : other.url })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => createHash('sha256').update(text).digest('hex'))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(99);
    expect(await effects(node)).toBe(1);
  });

  it('200 equal ones do not starve a request of somebody else', async () => {
    const node = newNode();
    const key = newKey();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    probe.afterEffect = (at) => (at === node ? held : Promise.resolve());
    const caller = await other.newCaller();
    const arrived = jest.fn();
    app.app.getHttpServer().on('request', arrived);
    const flood = Array.from({ length: 200 }, () => post(pathOf(node), { key }));
    await eventually(() => arrived.mock.calls.length === 200);
    app.app.getHttpServer().off('request', arrived);
    // The other requests are held until this one is answered. If it were starved, the spec would run into its time
    // limit.
    const answer = await post(pathOf(newNode()), { key: newKey(), credential: caller.keys.worker });
    release();
    expect(answer.status).toBe(200);
    const answers = await Promise.all(flood);
    // Requests that have waited 3 s by then are told to come back.
    expect(answers.every(({ status, code }) => status === 200 || code === 'idempotency_in_progress')).toBe(true);
    expect(await effects(node)).toBe(1);
  });

  it('more than 10 different ones of one account at once are refused with 429, and change nothing', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    probe.afterEffect = () => held;
    const caller = await app.newCaller();
    let answered = 0;
    const one = async () => {
      const answer = await post(pathOf(newNode()), { key: newKey(), credential: caller.keys.worker });
      // Until the release, only refusals can be answered.
      if ((answered += 1) === 4) release();
      return answer;
    };
    const answers = await Promise.all(Array.from({ length: 14 }, one));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(refused).toHaveLength(4);
    expect(refused[0]!.headers).toMatchObject({ 'retry-after': '1', 'x-limit-remaining': '0' });
  });

  it.each([
    ['the same process', () => app],
    ['another process', () => other],
  ])('one that follows a stuck leader in %s is told after 3 s that it runs still', async (_, follower) => {
    const node = newNode();
    const key = newKey();
    let release: (() => void) | undefined;
    probe.afterEffect = () => new Promise((resolve) => (release = resolve));
    const leader = post(pathOf(node), { key });
    await eventually(() => release !== undefined);
    const startedAt = performance.now();
    const answer = await post(pathOf(node), { key, url: follower().url });
    const tookMs = performance.now() - startedAt;
    release!();
    expect([answer.status, answer.code, answer.headers['retry-after']]).toEqual([409, 'idempotency_in_progress', '1']);
    expect(tookMs).toBeGreaterThan(2800);
    // It waits once: not in its process and then again in the database.
    expect(tookMs).toBeLessThan(5_900);
    expect((await leader).status).toBe(200);
    expect((await post(pathOf(node), { key })).text).toBe((await leader).text);
  });
});

describe('a process that is killed in the middle of the write', () => {
  it('leaves nothing: the retry executes, exactly once', async () => {
    const node = newNode();
    const key = newKey();
    const child = await startProbeChild(database.url, { PROBE_KILL: '1' });
    await expect(post(pathOf(node), { key, url: child.url })).rejects.toThrow();
    expect(await child.ended).toBe('SIGKILL');
    const retry = await post(pathOf(node), { key });
    expect([retry.status, retry.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect((await post(pathOf(node), { key })).text).toBe(retry.text);
    expect(await effects(node)).toBe(1);
  });

  it('leaves nothing while others wait for it: one of them executes', async () => {
    const node = newNode();
    const key = newKey();
    const child = await startProbeChild(database.url, { PROBE_HANG: '1' });
    const lost = post(pathOf(node), { key, url: child.url }).catch(() => 'lost');
    const hanging = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE 'INSERT INTO probe_effects%'`;
    await eventually(async () => (await database.dataSource.query(hanging)).length === 1);
    const waiting = [post(pathOf(node), { key }), post(pathOf(node), { key, url: other.url })];
    await new Promise((resolve) => setTimeout(resolve, 300));
    await child.kill();
    const [one, two] = await Promise.all(waiting);
    expect([await lost, one!.status, two!.text, await effects(node)]).toEqual(['lost', 200, one!.text, 1]);
  });
});

describe('time', () => {
  it('makes an expired key new again, once for all who race', async () => {
    const node = newNode();
    const key = newKey();
    const first = await post(pathOf(node), { key });
    const clock = app.app.get(Clock);
    const later = jest.spyOn(clock, 'nowMs').mockImplementation(() => Date.now() + 25 * 3_600_000);
    const otherLater = jest.spyOn(other.app.get(Clock), 'nowMs').mockImplementation(() => Date.now() + 25 * 3_600_000);
    const answers = await Promise.all([app, other, app].map(({ url }) => post(pathOf(node), { key, url })));
    later.mockRestore();
    otherLater.mockRestore();
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]!.text).not.toBe(first.text);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'])).toHaveLength(2);
    expect(await effects(node)).toBe(2);
  });

  it('lets the sweeper delete what has expired, in batches, past rows that somebody holds', async () => {
    // Their own rounds, one a minute, would delete rows that this test counts.
    const idle = [app, other].map((each) => jest.spyOn(each.app.get(IdempotencySweeper), 'sweep').mockResolvedValue(0));
    await database.dataSource.query(
      `INSERT INTO idempotency_records
         (scope_hash, fingerprint, api_version, account_id, operation_id, status, headers, body, created_at, expires_at)
       SELECT sha256(n::text::bytea), ''::bytea, '2026-11-20', 'acct_x', 'op', 200, '{}', ''::bytea, now(), now() - interval '1 s'
       FROM generate_series(1, 2500) n`,
    );
    const before = await records();
    const holder = database.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query(
      "SELECT 1 FROM idempotency_records WHERE account_id = 'acct_x' ORDER BY expires_at LIMIT 1 FOR UPDATE",
    );
    const sweeper = new IdempotencySweeper(database.dataSource, app.app.get(Clock));
    expect(await sweeper.sweep()).toBe(2499);
    await holder.rollbackTransaction();
    await holder.release();
    expect(await sweeper.sweep()).toBe(1);
    expect(await records()).toBe(before - 2500);
    for (const each of idle) each.mockRestore();
  });
});

describe('what the access log gets', () => {
  it('says what became of the key', async () => {
    const node = newNode();
    const key = newKey();
    app.outcomes.length = 0;
    await post(pathOf(node), { key });
    await post(pathOf(node), { key });
    await post(pathOf(newNode()), { key });
    await eventually(() => app.outcomes.length === 3);
    const outcomes = app.outcomes.map(({ request }) => request.context.idempotencyOutcome);
    expect(outcomes).toEqual(['executed', 'replayed', 'rejected']);
  });
});

describe('a refusal that races with equal requests', () => {
  it('of one process gives way to the answer that another one gives in between: one answer, one effect', async () => {
    for (let round = 0; round < 10; round += 1) {
      const node = newNode();
      const key = newKey();
      let executions = 0;
      probe.afterEffect = async () => {
        executions += 1;
        const isFirst = executions === 1;
        await new Promise((resolve) => setTimeout(resolve, 50));
        if (isFirst) throw new ApiError('node_not_funded', 'Not yet.');
      };
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => post(pathOf(node), { key, url: i % 2 ? app.url : other.url })),
      );
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(await effects(node)).toBe(answers[0]!.status === 200 ? 1 : 0);
      const later = await post(pathOf(node), { key });
      expect(later.text).toBe(answers[0]!.text);
    }
  });

  it('is one refusal for everybody when each of them would be refused', async () => {
    const node = newNode();
    const key = newKey();
    let executions = 0;
    probe.afterEffect = () => Promise.reject(new ApiError('node_not_funded', `Refusal ${(executions += 1)}.`));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => post(pathOf(node), { key, url: i % 2 ? app.url : other.url })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(409);
    expect(await effects(node)).toBe(0);
  });
});
