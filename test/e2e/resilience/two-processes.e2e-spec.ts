import { settled } from '../../support/e2e/answers.js';
import { eventually } from '../../support/eventually.js';
import { ObservedProcess } from '../../support/market-process.js';
import { whileStoreCounts } from './limit-store.js';
import { type Caller, ResilienceStack } from '../../support/resilience/resilience-stack.js';
import type { ServiceProcess } from '../../support/resilience/service-process.js';

/** The default rate limits of a deployment. */
const DEFAULT_QUOTAS = { RATE_LIMIT_PRINCIPAL: '120', RATE_LIMIT_PREPARE: '30' };

let stack: ResilienceStack;
let pair: ServiceProcess[];
let buyer: Caller;
let worker: Caller;
const of = (index: number): ServiceProcess => pair[index % 2]!;

beforeAll(async () => {
  stack = await ResilienceStack.start();
  pair = await Promise.all([stack.service(DEFAULT_QUOTAS), stack.service(DEFAULT_QUOTAS)]);
});

afterAll(() => stack?.stop());

beforeEach(freshCallers);

async function freshCallers(): Promise<void> {
  [buyer, worker] = [await stack.caller('Buyer'), await stack.caller('Worker')];
}

/** Runs `run` with new callers while both processes count in the shared database. @returns its result. */
async function counted<T>(run: () => Promise<T>): Promise<T> {
  const { keys } = await stack.caller('Stranger');
  return whileStoreCounts(
    pair,
    (service) => service.call('/v1/tasks', { key: keys.read }),
    async () => {
      await freshCallers();
      return run();
    },
  );
}

describe('two processes on one database', () => {
  it('have one window: of 300 racing requests exactly 120 pass', async () => {
    const { answers, later, another, other } = await counted(async () => {
      const calls = Array.from({ length: 300 }, (_, i) => of(i).call('/v1/tasks', { key: buyer.keys.read }));
      return {
        answers: await Promise.all(calls),
        later: await Promise.all(pair.map((service) => service.call('/v1/tasks', { key: buyer.keys.read }))),
        // The account's key of another scope is refused for its scope, not for the requests that the first key has used
        // up.
        another: await of(1).call('/v1/tasks', { key: buyer.keys.buyer }),
        other: await of(0).call('/v1/tasks', { key: worker.keys.read }),
      };
    });
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
    expect(refused).toHaveLength(180);
    for (const { headers, body } of refused) {
      expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
      expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(60);
      expect(headers.get('X-Limit-Remaining')).toBe('0');
      expect(body.error.code).toBe('rate_limited');
    }
    expect(later.map(({ status }) => status)).toEqual([429, 429]);
    expect(another.status).toBe(403);
    expect(other.status).toBe(200);
  });

  it('have one quota of writes: of 40 in turn exactly 30 pass', async () => {
    const answers = await counted(async () => {
      const given = [];
      for (let n = 0; n < 40; n += 1)
        given.push(await of(n).abandon('task_x', 'node_x', worker.keys.worker, `key ${n}`));
      return given;
    });
    // Requests within the limit find no such task.
    const expected = Array.from({ length: 40 }, (_, n) => (n < 30 ? 404 : 429));
    expect(answers.map(({ status }) => status)).toEqual(expected);
    expect(answers.at(-1)!.headers.get('X-Limit-Remaining')).toBe('0');
    expect(Number(answers.at(-1)!.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
  });

  it('have one idempotency space: 100 racing calls make one action and give the same bytes', async () => {
    const generous = await Promise.all([stack.service(), stack.service()]);
    const { taskId, nodeId } = await stack.funded(buyer, worker);
    const before = await stack.leftovers();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        settled(() => generous[i % 2]!.abandon(taskId, nodeId, worker.keys.worker, 'one key')),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === null)).toHaveLength(1);
    const after = await stack.leftovers();
    expect([after.actions - before.actions, after.records - before.records]).toEqual([1, 1]);

    const other = await stack.funded(buyer, worker);
    for (const service of generous) {
      const conflict = await service.abandon(other.taskId, other.nodeId, worker.keys.worker, 'one key');
      expect([conflict.status, conflict.body.error.code]).toEqual([409, 'idempotency_key_conflict']);
      expect(conflict.text).not.toContain(answers[0]!.body.action_id);
    }
    expect((await stack.leftovers()).actions).toBe(after.actions);
    await Promise.all(generous.map((service) => service.stop()));
  });

  it('continue the cursors of each other', async () => {
    const trees = [];
    for (let n = 0; n < 3; n += 1) trees.push(await stack.funded(buyer, worker));
    const ids: string[] = [];
    let cursor = '';
    for (let page = 0; page < 3; page += 1) {
      const answer = await of(page).call(`/v1/tasks?limit=1${cursor}`, { key: buyer.keys.read });
      expect(answer.status).toBe(200);
      ids.push(...answer.body.data.map(({ id }: { id: string }) => id));
      cursor = `&cursor=${encodeURIComponent(answer.body.next_page)}`;
    }
    expect(ids.toSorted()).toEqual(trees.map(({ taskId }) => taskId).toSorted());
  });

  it('refuse a key at once that was revoked beside them', async () => {
    const key = worker.keys.read;
    for (const service of pair) expect((await service.call('/v1/tasks', { key })).status).toBe(200);
    const [row] = await stack.dataSource.query<{ id: string }[]>(
      `SELECT id FROM api_keys WHERE account_id = $1 AND scope = 'read'`,
      [worker.accountId],
    );
    const { DATABASE_URL, APP_SECRET, CHAIN_ID } = stack.variables() as Record<string, string>;
    const environment = { DATABASE_URL: DATABASE_URL!, APP_SECRET: APP_SECRET!, CHAIN_ID: CHAIN_ID! };
    const tool = ObservedProcess.node(['dist/service/tools/keys.js', 'revoke', row!.id], environment);
    expect([await tool.ended, tool.output]).toEqual([0, expect.stringContaining(row!.id)]);
    for (const service of pair) {
      const answer = await service.call('/v1/tasks', { key });
      expect([answer.status, answer.body.error.code]).toEqual([401, 'api_key_revoked']);
    }
  });

  it('must share APP_SECRET: with another one a process knows none of their keys', async () => {
    const stranger = await stack.service({ APP_SECRET: 'another secret that is also long enough' });
    const answer = await stranger.call('/v1/tasks', { key: buyer.keys.read });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'invalid_api_key']);
    await stranger.stop();
  });
});

describe('of two processes', () => {
  it('one indexes; when it is killed the other takes over within seconds', async () => {
    const runners = async () => Promise.all(pair.map((service) => service.metric('indexer_runner')));
    await eventually(async () => (await runners()).reduce((sum, one) => sum + one, 0) === 1);
    const first = await stack.funded(buyer, worker);
    const leader = (await runners()).indexOf(1);
    await of(leader).stop('SIGKILL');
    await stack.chain.abandon(first, first.root, worker.wallet);
    await stack.indexed(first.taskId, 'refunded');
    const survivor = of(leader + 1);
    expect(await survivor.metric('indexer_runner')).toBe(1);
    const { status, body } = await survivor.call(`/v1/tasks/${first.taskId}`, { key: worker.keys.read });
    expect([status, body.status]).toEqual([200, 'refunded']);
    pair[leader] = await stack.service(DEFAULT_QUOTAS);
    expect(await of(leader).metric('indexer_runner')).toBe(0);
  });
});
