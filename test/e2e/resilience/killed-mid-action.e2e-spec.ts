import { settled } from '../../support/e2e/answers.js';
import { eventually } from '../../support/eventually.js';
import { type Caller, ResilienceStack } from '../../support/resilience/resilience-stack.js';
import type { ServiceProcess } from '../../support/resilience/service-process.js';
import type { Verdict } from '../../support/resilience/tcp-proxy.js';

let stack: ResilienceStack;
let service: ServiceProcess;
let buyer: Caller;
let worker: Caller;
let node: { taskId: string; nodeId: string };

beforeAll(async () => {
  stack = await ResilienceStack.start();
  [buyer, worker] = [await stack.caller('Buyer'), await stack.caller('Worker')];
});

afterAll(() => stack?.stop());

beforeEach(async () => {
  service = await stack.service();
  node = await stack.funded(buyer, worker);
});

afterEach(async () => {
  stack.rpc.mode = 'pass';
  stack.database.intercept = () => 'pass';
  await service.stop();
});

const prepare = (key: string) => service.abandon(node.taskId, node.nodeId, worker.keys.worker, key);

/** Kills the service while the request with this key runs, as soon as `moment` is true. */
async function killDuring(key: string, moment: () => Promise<boolean> | boolean): Promise<void> {
  const broken = prepare(key).then(
    () => 'answered',
    () => 'broken',
  );
  await eventually(moment);
  await service.stop('SIGKILL');
  expect(await broken).toBe('broken');
  await eventually(async () => (await stack.openTransactions()) === 0);
}

/**
 * Applies the verdict to the statement that commits operation 1, so that the database receives it or not.
 * @returns whether the statement has come.
 */
function atCommit(verdict: Verdict): { reached: boolean } {
  const at = { reached: false };
  stack.database.intercept = (connection, chunk) => {
    const isOurs = (connection.sent + chunk).includes('INSERT INTO prepared_actions');
    if (!isOurs || !chunk.includes('COMMIT')) return 'pass';
    at.reached = true;
    return verdict;
  };
  return at;
}

async function restart(): Promise<void> {
  stack.rpc.mode = 'pass';
  stack.database.intercept = () => 'pass';
  service = await stack.service();
}

describe('after a SIGKILL in the middle of operation 1', () => {
  it('while the chain is asked, nothing is left, and the retry makes exactly one action', async () => {
    const before = await stack.leftovers();
    await killDuring('killed at the chain', stack.silenceChain());
    expect(await stack.leftovers()).toEqual(before);

    await restart();
    const retry = await prepare('killed at the chain');
    expect([retry.status, retry.headers.get('Idempotent-Replayed')]).toEqual([200, null]);
    const again = await prepare('killed at the chain');
    expect([again.text, again.headers.get('Idempotent-Replayed')]).toEqual([retry.text, 'true']);
    const after = await stack.leftovers();
    expect([after.actions - before.actions, after.records - before.records]).toEqual([1, 1]);
  });

  it('before the commit has reached the database, nothing is left, and the retry makes exactly one action', async () => {
    const before = await stack.leftovers();
    const commit = atCommit('drop');
    await killDuring('killed before the commit', () => commit.reached);
    expect(await stack.leftovers()).toEqual(before);

    await restart();
    const retry = await prepare('killed before the commit');
    expect([retry.status, retry.headers.get('Idempotent-Replayed')]).toEqual([200, null]);
    const after = await stack.leftovers();
    expect([after.actions - before.actions, after.records - before.records]).toEqual([1, 1]);
  });

  it('after the commit and before the answer, the retry gives the action that was made', async () => {
    const before = await stack.leftovers();
    const commit = atCommit('mute');
    await killDuring('killed after the commit', () => commit.reached);
    await eventually(async () => (await stack.leftovers()).actions === before.actions + 1);

    await restart();
    const retry = await prepare('killed after the commit');
    expect([retry.status, retry.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
    const [row] = await stack.dataSource.query<{ id: string }[]>(
      'SELECT id FROM prepared_actions ORDER BY created_at DESC LIMIT 1',
    );
    expect(retry.body.action_id).toBe(row!.id);
    const after = await stack.leftovers();
    expect([after.actions - before.actions, after.records - before.records]).toEqual([1, 1]);
  });

  it('with 20 racing calls, no key stays locked and there is exactly one action', async () => {
    const before = await stack.leftovers();
    const isAtTheChain = stack.silenceChain();
    const racing = Array.from({ length: 20 }, () => prepare('killed in a race').catch(() => null));
    await killDuring('killed in a race', isAtTheChain);
    expect(await Promise.all(racing)).toEqual(racing.map(() => null));

    await restart();
    const answers = await Promise.all(Array.from({ length: 20 }, () => settled(() => prepare('killed in a race'))));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === null)).toHaveLength(1);
    const after = await stack.leftovers();
    expect([after.actions - before.actions, after.records - before.records]).toEqual([1, 1]);
    await eventually(async () => {
      const [locks] = await stack.dataSource.query<{ waiting: string }[]>(
        `SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return Number(locks!.waiting) === 0;
    });
  });
});
