import { eventually } from '../../support/eventually.js';
import { type Caller, ResilienceStack } from '../../support/resilience/resilience-stack.js';
import type { Tamper } from '../../support/rpc-proxy.js';
import { expectUnavailable, type ServiceProcess } from '../../support/resilience/service-process.js';

/** Longer than one attempt at an endpoint that does not answer. */
const BOUND_MS = 8_000;

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
afterEach(() => {
  stack.rpc.mode = 'pass';
});

const prepare = (key: string) => service.abandon(node.taskId, node.nodeId, worker.keys.worker, key);
const isReady = async () => (await service.health('ready/writes')) === 200;

describe.each(['refuse', 'hang', 'error'] as const)('while the chain answers with: %s', (mode) => {
  beforeEach(async () => {
    await eventually(isReady);
  });

  it('lists and reads still answer', async () => {
    stack.rpc.mode = mode;
    await eventually(async () => !(await isReady()), 15_000);
    for (const path of ['/v1/tasks', `/v1/tasks/${node.taskId}`, `/v1/tasks/${node.taskId}/nodes`]) {
      expect((await service.call(path, { key: worker.keys.read })).status).toBe(200);
    }
    expect([await service.health('live'), await service.health('ready')]).toEqual([200, 200]);
  });

  it('operation 1 is a 503 in time, stores nothing and frees the key', async () => {
    const before = await stack.leftovers();
    stack.rpc.mode = mode;
    const startedAt = Date.now();
    const answers = await Promise.all([prepare(mode), prepare(mode), prepare(`${mode}, too`)]);
    expect(Date.now() - startedAt).toBeLessThan(2 * BOUND_MS);
    // A request that waits more than three seconds for one with the same key gets 409 and may come back.
    const unavailable = answers.filter(({ status }) => status !== 409);
    expect(unavailable.length).toBeGreaterThanOrEqual(2);
    unavailable.forEach(expectUnavailable);
    expect(await stack.leftovers()).toEqual(before);
    await eventually(async () => (await stack.openTransactions()) === 0, 10_000);

    stack.rpc.mode = 'pass';
    const retry = await prepare(mode);
    expect([retry.status, retry.headers.get('Idempotent-Replayed')]).toEqual([200, null]);
    expect((await stack.leftovers()).actions).toBe(before.actions + 1);
  });

  it('a replay needs no chain', async () => {
    const first = await prepare(`${mode}, made before`);
    stack.rpc.mode = mode;
    const replay = await prepare(`${mode}, made before`);
    expect([replay.status, replay.text]).toEqual([200, first.text]);
  });

  it('the index stands still and catches up when the chain is back', async () => {
    const tree = await stack.funded(buyer, worker);
    stack.rpc.mode = mode;
    await stack.chain.abandon(tree, tree.root, worker.wallet);
    await stack.chain.anvil.mine(40);
    await eventually(async () => !(await isReady()), 15_000);
    expect(await stack.market.nodeStates(tree.taskId)).toEqual({ 1: 'funded' });
    stack.rpc.mode = 'pass';
    await stack.indexed(tree.taskId, 'refunded');
    await eventually(isReady);
    const head = await stack.chain.anvil.blockNumber();
    await eventually(async () => (await service.metric('indexer_block')) === head);
  });
});

describe('an endpoint that lags or lies', () => {
  afterEach(() => {
    stack.rpc.tamper = (_call, answer) => answer;
  });

  it('does not let operation 1 prepare what the newest block no longer allows', async () => {
    const tree = await stack.funded(buyer, worker);
    stack.rpc.tamper = ({ method }, answer) => {
      // Keeps the index at the earlier block.
      return method === 'eth_blockNumber'
        ? { ...answer, error: { code: -32000, message: 'behind' }, result: undefined }
        : answer;
    };
    await stack.chain.abandon(tree, tree.root, worker.wallet);
    const { status, body } = await service.abandon(tree.taskId, tree.nodeId, worker.keys.worker, 'too late');
    expect(await stack.market.nodeStates(tree.taskId)).toEqual({ 1: 'funded' });
    expect([status, body.error.code]).toEqual([409, 'node_not_funded']);
  });

  it('with another genesis never makes the index forget', async () => {
    const { taskId } = await stack.funded(buyer, worker);
    stack.rpc.tamper = ({ method }, answer) =>
      method === 'eth_getBlockByNumber' && answer.result
        ? { ...answer, result: { ...answer.result, hash: `0x${'ee'.repeat(32)}` } }
        : answer;
    await stack.chain.anvil.mine(2);
    await eventually(async () => (await service.metric('indexer_failing')) === 1);
    expect(await stack.market.nodeStates(taskId)).toEqual({ 1: 'funded' });
    stack.rpc.tamper = (_call, answer) => answer;
    await eventually(async () => (await service.metric('indexer_failing')) === 0);
  });
});

describe('a process that starts while the chain is away', () => {
  let restarted: ServiceProcess;

  beforeEach(async () => {
    // Only the process that starts anew is to index, and to answer.
    await service.stop('SIGTERM');
    stack.rpc.mode = 'refuse';
  });
  afterEach(async () => {
    stack.rpc.tamper = (_call, answer) => answer;
    stack.rpc.mode = 'pass';
    await restarted.stop('SIGTERM');
  });

  it('serves what is read, says that it cannot prepare, and does so by itself when the chain is back', async () => {
    restarted = await stack.service();
    const healths = ['live', 'startup', 'ready', 'ready/writes'] as const;
    expect(await Promise.all(healths.map((name) => restarted.health(name)))).toEqual([200, 200, 200, 503]);
    const tasks = await restarted.call(`/v1/tasks/${node.taskId}`, { key: worker.keys.read });
    expect([tasks.status, tasks.body.id]).toEqual([200, node.taskId]);
    const key = worker.keys.worker;
    expectUnavailable(await restarted.abandon(node.taskId, node.nodeId, key, 'before the chain'));
    const tree = await stack.market.hired(buyer, worker);
    stack.rpc.mode = 'pass';
    await stack.indexed(tree.taskId, 'funded');
    await eventually(async () => (await restarted.health('ready/writes')) === 200);
    expect((await restarted.abandon(node.taskId, node.nodeId, key, 'before the chain')).status).toBe(200);
  });

  it.each<[string, Tamper, RegExp]>([
    [
      'another first block',
      ({ method }, answer) =>
        method === 'eth_getBlockByNumber' && answer.result
          ? { ...answer, result: { ...answer.result, hash: `0x${'ee'.repeat(32)}` } }
          : answer,
      /The service stops: .*holds the index of another chain/,
    ],
    [
      'another id',
      ({ method }, answer) => (method === 'eth_chainId' ? { ...answer, result: '0x2105' } : answer),
      /The service stops: RPC_URL serves chain 8453/,
    ],
  ])('stops with a sentence when what comes back is a chain with %s', async (_, tamper, sentence) => {
    restarted = await stack.service();
    stack.rpc.tamper = tamper;
    stack.rpc.mode = 'pass';
    expect(await restarted.process.ended).toBe(1);
    expect(restarted.process.output).toMatch(sentence);
    expect(await stack.market.nodeStates(node.taskId)).toEqual({ 1: 'funded' });
  });
});
