import { randomInt } from 'node:crypto';
import { derivedState } from '../../support/derived-state.js';
import { eventually } from '../../support/eventually.js';
import { type Caller, ResilienceStack } from '../../support/resilience/resilience-stack.js';

const ROUNDS = 6;

let stack: ResilienceStack;
let buyer: Caller;
let workers: Caller[];

beforeAll(async () => {
  stack = await ResilienceStack.start();
  buyer = await stack.caller('Buyer');
  workers = [await stack.caller('One'), await stack.caller('Two')];
});

afterAll(() => stack?.stop());

/** Pseudo-random numbers, the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Plays a tree of two nodes that ends in one of several ways, over a dozen blocks. */
async function play(round: number): Promise<void> {
  const { chain, market } = stack;
  const [worker, childWorker] = round % 2 ? workers : workers.toReversed();
  if (!worker || !childWorker) throw new Error('There are two workers');
  const tree = await market.hired(buyer, worker);
  const child = await market.hireBelow(tree, 2, worker, childWorker, 30_000_000n);
  if (round % 3 === 0) await chain.abandon(tree, child, childWorker.wallet);
  else {
    await chain.deliver(tree, child.nodeId, childWorker.wallet);
    await chain.resolve(tree, child, worker.wallet);
  }
  if (round % 3 === 0) await chain.abandon(tree, tree.root, worker.wallet);
  else await chain.deliver(tree, 1n, worker.wallet);
  if (round % 3 === 1) await chain.resolve(tree, tree.root, buyer.wallet);
  await chain.anvil.mine(3);
}

it('a service that is killed again and again while it indexes ends with what a fresh database finds', async () => {
  const seed = Number(process.env.RESILIENCE_SEED ?? randomInt(2 ** 31));
  process.stdout.write(`killed-indexer: RESILIENCE_SEED=${seed}\n`);
  const random = seeded(seed);
  const left: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await play(round);
    if (round === 3) await stack.chain.anvil.reorg(4);
    const service = await stack.service({ CHAIN_POLL_MS: '50' });
    const pending = play(round + ROUNDS);
    await new Promise((resolve) => setTimeout(resolve, random() * 400));
    await service.stop('SIGKILL');
    await pending;
    const tips = 'SELECT max(number) AS number FROM chain_blocks';
    const [tip] = await stack.dataSource.query<{ number: number | null }[]>(tips);
    left.push((await stack.chain.anvil.blockNumber()) - (tip!.number ?? -1));
  }
  const head = await stack.chain.anvil.blockNumber();
  const last = await stack.service();
  await eventually(async () => (await last.metric('indexer_block')) === head);
  await last.stop('SIGTERM');
  // At least one kill must have come while work was left, otherwise the test has shown nothing.
  expect(Math.max(...left)).toBeGreaterThan(0);
  const state = await derivedState(stack.dataSource);
  expect(state.nodes!.length).toBeGreaterThan(ROUNDS * 3);
  expect(state).toEqual(await stack.market.rebuilt());
}, 400_000);

it.each([
  ['before it reached the database', 'drop'],
  ['before its answer came back', 'mute'],
] as const)('a block whose commit was lost %s is indexed exactly once', async (_when, verdict) => {
  const service = await stack.service();
  const { taskId, nodeId, ...tree } = await stack.funded(buyer, workers[0]!);
  let isReached = false;
  stack.database.intercept = (connection, chunk) => {
    if (!chunk.includes('COMMIT')) return 'pass';
    const transaction = connection.sent.slice(connection.sent.lastIndexOf('START TRANSACTION'));
    if (!transaction.includes('COPY chain_facts')) return 'pass';
    isReached = true;
    return verdict;
  };
  await stack.chain.abandon({ taskId, ...tree }, tree.root, workers[0]!.wallet);
  await eventually(() => isReached);
  await service.stop('SIGKILL');
  stack.database.intercept = () => 'pass';
  const next = await stack.service();
  await stack.indexed(taskId, 'refunded');
  const receipts = await next.call(`/v1/receipts?task_id=${taskId}`, { key: workers[0]!.keys.read });
  expect(receipts.body.data.map((one: { node_id: string }) => one.node_id)).toEqual([nodeId]);
  await next.stop('SIGTERM');
  const state = await derivedState(stack.dataSource);
  expect(state).toEqual(await stack.market.rebuilt());
});
