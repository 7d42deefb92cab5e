import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { refuseWhileWriting, untilCleared } from '../../../src/platform/database/write-stage.js';
import { ApiError } from '../../../src/platform/http/api-error.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { probe, PROBE_TABLE, type ProbeApp, startProbeApp } from '../../support/probe-app.js';
import { testEnvironment } from '../../support/test-environment.js';

let database: { url: string; dataSource: DataSource };
let app: ProbeApp;
let other: ProbeApp;
let worker: string;

const newNode = () => `node_${randomUUID()}`;
const newKey = () => randomUUID();
const pathOf = (node: string) => `/v1/tasks/t1/nodes/${node}/abandon-intents`;

interface Sent {
  key: string;
  credential?: string;
  url?: string;
}

async function post(path: string, { key, credential = worker, url = app.url }: Sent) {
  const headers = { 'X-Api-Key': credential, 'Idempotency-Key': key };
  const answer = await fetch(url + path, { method: 'POST', headers });
  return { status: answer.status, text: await answer.text(), isReplay: answer.headers.has('idempotent-replayed') };
}

const effects = async (node: string): Promise<number> => {
  const [{ count }] = await database.dataSource.query('SELECT count(*)::int FROM probe_effects WHERE node = $1', [
    node,
  ]);
  return count;
};

beforeAll(async () => {
  database = await createMigratedDatabase();
  await database.dataSource.query(PROBE_TABLE);
  [app, other] = await Promise.all([
    startProbeApp(testEnvironment(database.url)),
    startProbeApp(testEnvironment(database.url)),
  ]);
  worker = (await app.newCaller()).keys.worker;
});

afterAll(async () => {
  await Promise.all([app?.close(), other?.close()]);
  await database?.dataSource.destroy();
});

afterEach(() => {
  probe.beforeEffect = () => Promise.resolve();
  probe.afterEffect = () => Promise.resolve();
});

describe('until its handler writes', () => {
  const open = async (): Promise<number> => {
    const [{ count }] = await database.dataSource.query(
      `SELECT count(*)::int FROM pg_stat_activity
       WHERE datname = current_database() AND (state LIKE 'idle in transaction%' OR wait_event_type = 'Lock')`,
    );
    return count;
  };

  it('a request holds no connection and no key: many that wait leave the others alone', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = new Set<string>();
    let waiting = 0;
    probe.beforeEffect = (node) => {
      if (!slow.has(node)) return Promise.resolve();
      waiting += 1;
      return held;
    };
    const callers = await Promise.all(Array.from({ length: 4 }, () => app.newCaller()));
    const writes = callers.flatMap(({ keys }) =>
      Array.from({ length: 10 }, () => {
        const node = newNode();
        slow.add(node);
        return post(pathOf(node), { key: newKey(), credential: keys.worker });
      }),
    );
    // More requests than the pool has connections.
    await eventually(() => waiting === 40);
    expect(await open()).toBe(0);
    const bystander = await app.newCaller();
    const answer = await post(pathOf(newNode()), { key: newKey(), credential: bystander.keys.worker });
    expect(answer.status).toBe(200);
    release();
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(writes.map(() => 200));
  });

  it('of equal requests in two processes that have both begun, one writes and the other gets its answer', async () => {
    const node = newNode();
    const key = newKey();
    let begun = 0;
    let release = (): void => undefined;
    const both = new Promise<void>((resolve) => (release = resolve));
    probe.beforeEffect = () => {
      if ((begun += 1) === 2) release();
      return both;
    };
    const answers = await Promise.all([app, other].map(({ url }) => post(pathOf(node), { key, url })));
    expect([answers[0]!.status, answers[1]!.text, await effects(node)]).toEqual([200, answers[0]!.text, 1]);
    expect(answers.filter(({ isReplay }) => isReplay)).toHaveLength(1);
  });

  it('one that is refused because of what its equal has just done gets the answer of that', async () => {
    const node = newNode();
    const key = newKey();
    let begun = 0;
    let release = (): void => undefined;
    const written = new Promise<void>((resolve) => (release = resolve));
    probe.beforeEffect = async () => {
      if ((begun += 1) === 1) return;
      await written;
      throw new ApiError('not_found', 'It is gone.');
    };
    const first = post(pathOf(node), { key });
    await eventually(() => begun === 1);
    const second = post(pathOf(node), { key, url: other.url });
    await first;
    release();
    const [one, two] = [await first, await second];
    expect([one.status, two.text, await effects(node)]).toEqual([200, one.text, 1]);
  });

  it('nothing can be written by itself: neither changed nor locked', async () => {
    for (const text of [
      "INSERT INTO probe_effects (id, node) VALUES (gen_random_uuid(), 'stray')",
      'WITH gone AS (DELETE FROM probe_effects RETURNING 1) SELECT * FROM gone',
      'SELECT 1 FROM probe_effects FOR UPDATE',
    ]) {
      probe.beforeEffect = async (_, transactions) => {
        await transactions.manager.query(text);
      };
      const key = newKey();
      const node = newNode();
      expect((await post(pathOf(node), { key })).status).toBe(500);
      expect([await effects('stray'), await effects(node)]).toEqual([0, 0]);
      probe.beforeEffect = () => Promise.resolve();
      expect((await post(pathOf(node), { key })).status).toBe(200);
    }
  });
});

describe('a handler that begins while its key is looked up', () => {
  const readsFirst = (node: string) => `/v1/tasks/t1/nodes/${node}/other-intents`;

  it('is not waited for when the key has an answer, asks nobody then and writes nothing', async () => {
    const [node, key] = [newNode(), newKey()];
    const first = await post(readsFirst(node), { key });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const asked: string[] = [];
    let ended = false;
    probe.beforeEffect = async () => {
      await held;
      await untilCleared()?.then(
        () => asked.push('asked'),
        () => asked.push('not asked'),
      );
      ended = true;
    };
    const replay = await post(readsFirst(node), { key });
    expect(replay).toEqual({ ...first, isReplay: true });
    release();
    await eventually(() => ended);
    expect([asked, await effects(node)]).toEqual([['not asked'], 1]);
    const next = await post(readsFirst(node), { key: newKey() });
    expect([next.status, await effects(node)]).toEqual([200, 2]);
  });

  it('is refused the replay of another request as any other', async () => {
    const key = newKey();
    await post(readsFirst(newNode()), { key });
    const other = newNode();
    expect((await post(readsFirst(other), { key })).status).toBe(409);
    expect(await effects(other)).toBe(0);
  });

  it('keeps its refusal, and gives it again', async () => {
    const [node, key] = [newNode(), newKey()];
    probe.beforeEffect = () => Promise.reject(new ApiError('state_conflict', 'Not now.'));
    const refused = await post(readsFirst(node), { key });
    probe.beforeEffect = () => Promise.resolve();
    const again = await post(readsFirst(node), { key });
    expect([refused.status, again, await effects(node)]).toEqual([409, { ...refused, isReplay: true }, 0]);
  });

  it('of equal requests in two processes writes once', async () => {
    const [node, key] = [newNode(), newKey()];
    const sent = Array.from({ length: 10 }, (_, index) =>
      post(readsFirst(node), { key, url: index % 2 === 0 ? app.url : other.url }),
    );
    const answers = await Promise.all(sent);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([answers[0]!.status, await effects(node)]).toEqual([200, 1]);
  });
});

describe('once its handler writes', () => {
  it('the chain is asked no more: that is a fault, and undoes everything', async () => {
    const node = newNode();
    const key = newKey();
    const asked = (): void => refuseWhileWriting('eth_call');
    probe.beforeEffect = async () => asked();
    probe.afterEffect = async () => asked();
    expect([(await post(pathOf(node), { key })).status, await effects(node)]).toEqual([500, 0]);
    probe.afterEffect = () => Promise.resolve();
    expect([(await post(pathOf(node), { key })).status, await effects(node)]).toEqual([200, 1]);
  });
});
