import { eventually } from '../../support/eventually.js';
import { type Caller, ResilienceStack } from '../../support/resilience/resilience-stack.js';
import { expectUnavailable, type ServiceProcess } from '../../support/resilience/service-process.js';

/** Longer than the longest wait while the database does not answer: 12 s for connecting or for one statement. */
const SILENT_MS = 19_000;
/** Refused connections are noticed at once. */
const REFUSED_MS = 2_000;
const LIVE_MS = 500;
/** A readiness probe of a silent database ends after 2 s. */
const READY_MS = 10_000;

let stack: ResilienceStack;
let service: ServiceProcess;
let buyer: Caller;
let worker: Caller;
let node: { taskId: string; nodeId: string };

beforeAll(async () => {
  stack = await ResilienceStack.start();
  service = await stack.service();
  [buyer, worker] = [await stack.caller('Buyer'), await stack.caller('Worker')];
  node = await stack.funded(buyer, worker);
});

afterAll(() => stack?.stop());

beforeEach(async () => {
  // Connections are open and caches filled, which must make no difference.
  await Promise.all(Array.from({ length: 12 }, () => [list(), read()]).flat());
});

afterEach(() => stack.database.pass());

const list = () => service.call('/v1/tasks', { key: worker.keys.read });
const read = () => service.call(`/v1/tasks/${node.taskId}`, { key: worker.keys.read });
const prepare = (key: string) => service.abandon(node.taskId, node.nodeId, worker.keys.worker, key);

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const startedAt = Date.now();
  const result = await work;
  expect(Date.now() - startedAt).toBeLessThan(ms);
  return result;
}

/**
 * Repeats the check until it is quick, at most `tries` times. Every try must pass and one must be quick, because a busy
 * machine is not slow each time.
 */
async function quickly(ms: number, check: () => Promise<void>, tries = 3): Promise<void> {
  const startedAt = Date.now();
  await check();
  if (tries > 1 && Date.now() - startedAt >= ms) return quickly(ms, check, tries - 1);
  expect(Date.now() - startedAt).toBeLessThan(ms);
}

/** Expects every operation to be refused in time. */
async function expectAway(ms: number, key: string): Promise<void> {
  const calls = [list, read, () => prepare(key)];
  await Promise.all(calls.map((call) => quickly(ms, async () => expectUnavailable(await call()))));
}

async function expectRecovered(): Promise<void> {
  await eventually(async () => (await service.health('ready')) === 200);
  for (let n = 0; n < 10; n += 1) {
    expect([(await list()).status, (await read()).status]).toEqual([200, 200]);
  }
}

describe.each([
  ['refuses connections', () => stack.database.refuse(), REFUSED_MS],
  ['is silent', () => stack.database.hang(), SILENT_MS],
] as const)('while the database %s', (how, takeAway, boundMs) => {
  it('every operation is a 503 in time, live stays, ready turns; all comes back without a restart', async () => {
    const before = await stack.leftovers();
    takeAway();
    await expectAway(boundMs, how);
    expect(await within(READY_MS, service.health('ready'))).toBe(503);
    await quickly(LIVE_MS, async () => expect(await service.health('live')).toBe(200));
    await expectAway(boundMs, how);

    stack.database.pass();
    await expectRecovered();
    await eventually(async () => (await stack.openTransactions()) === 0);
    expect(await stack.leftovers()).toEqual(before);
    const retry = await prepare(how);
    expect([retry.status, retry.headers.get('Idempotent-Replayed')]).toEqual([200, null]);
    expect((await stack.leftovers()).actions).toBe(before.actions + 1);
  });

  it('more requests than connections are refused as well, and starve nobody afterwards', async () => {
    takeAway();
    const crowd = Array.from({ length: 60 }, (_, n) =>
      n % 3 === 0 ? prepare(`${how} ${n}`) : n % 3 === 1 ? read() : list(),
    );
    const answers = await within(SILENT_MS, Promise.all(crowd));
    // More than ten concurrent writes of one account are refused before the database is asked.
    const codes = new Set(answers.map(({ status, body }) => `${status} ${body?.error?.code}`));
    expect(codes).toContain('503 service_unavailable');
    expect([...codes].filter((code) => !['503 service_unavailable', '429 rate_limited'].includes(code))).toEqual([]);
    stack.database.pass();
    await expectRecovered();
    expect((await prepare(`${how}, after the crowd`)).status).toBe(200);
  });

  it('the index stands still, and goes on when it is back', async () => {
    const tree = await stack.funded(buyer, worker);
    takeAway();
    await stack.chain.abandon(tree, tree.root, worker.wallet);
    await eventually(async () => (await service.health('ready')) === 503);
    expect(await stack.market.nodeStates(tree.taskId)).toEqual({ 1: 'funded' });
    stack.database.pass();
    await stack.indexed(tree.taskId, 'refunded');
    const { body } = await service.call(`/v1/tasks/${tree.taskId}`, { key: worker.keys.read });
    expect(body.status).toBe('refunded');
  });
});

describe('when the database is lost in the middle of operation 1', () => {
  it('the caller gets a 503, nothing is half written, and the key is free', async () => {
    const before = await stack.leftovers();
    const isAtTheChain = stack.silenceChain();
    const running = prepare('lost in the middle');
    await eventually(isAtTheChain);
    stack.database.cut();
    stack.rpc.mode = 'pass';
    expectUnavailable(await running);
    expect(await stack.leftovers()).toEqual(before);
    await expectRecovered();
    const retry = await prepare('lost in the middle');
    expect([retry.status, retry.headers.get('Idempotent-Replayed')]).toEqual([200, null]);
  });

  it('a key that is revoked while its change cannot be heard is refused as soon as the database answers', async () => {
    const caller = await stack.caller('Leaver');
    const call = () => service.call('/v1/tasks', { key: caller.keys.read });
    expect((await call()).status).toBe(200);
    stack.database.hang();
    await stack.dataSource.query(`UPDATE api_keys SET revoked_at = now() WHERE account_id = $1`, [caller.accountId]);
    await eventually(async () => (await service.health('ready')) === 503);
    stack.database.cut();
    stack.database.pass();
    await eventually(async () => (await service.health('ready')) === 200);
    const { status, body } = await call();
    expect([status, body.error.code]).toEqual([401, 'api_key_revoked']);
  });
});
