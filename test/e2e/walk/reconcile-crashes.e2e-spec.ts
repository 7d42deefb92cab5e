import { randomInt } from 'node:crypto';
import { Random } from '../../support/random.js';
import { HttpMarket } from './http-market.js';
import { deliver, hire, hireBelow, openTask, reviewPath, withdrawAll } from './steps.js';
import type { Trader } from './trader.js';

const DAY = 86_400;
const ROUNDS = 5;

let market: HttpMarket;
let buyer: Trader;
let workers: [Trader, Trader, Trader];

beforeAll(async () => {
  market = await HttpMarket.start();
  buyer = await market.trader('Buyer');
  workers = [await market.trader('First'), await market.trader('Second'), await market.trader('Third')];
});

afterAll(() => market?.stop());

async function expectEqual(trees: number): Promise<void> {
  const { code, output } = await market.reconcile();
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(new RegExp(`^equal: ${trees} trees`, 'm')),
  });
}

/** Plays a tree of three levels in which one node is accepted, one given back and one still open. */
async function history(): Promise<void> {
  const [first, second, third] = workers;
  const task = await openTask(buyer);
  const root = await hire(task, first, 100);
  const child = await hireBelow(task, { hirer: first, parentId: root }, second, 40);
  const grandchild = await hireBelow(task, { hirer: second, parentId: child }, third, 15, { days: 10 });
  const own = await hireBelow(task, { hirer: first, parentId: root }, third, 5, { hirer_funded: true });
  await deliver(third, task, grandchild);
  await second.act('worker', `${reviewPath(task, grandchild)}/resolution`, { resolution: 'accept' });
  await third.act('worker', `/v1/tasks/${task.id}/nodes/${own}/abandon-intents`);
  await first.act('buyer', `/v1/tasks/${task.id}/refund-withdrawal-intents`, { destination: first.address });
  await deliver(second, task, child);
  await deliver(first, task, root);
  await buyer.act('buyer', `/v1/tasks/${task.id}/resolution`, { resolution: 'accept' });
  await withdrawAll(first);
}

it('after a history of every kind of payment the index and the contracts agree to the base unit', async () => {
  await history();
  const task = await openTask(buyer);
  await hire(task, workers[1], 60);
  await market.travel(31 * DAY);
  await buyer.act('read', `/v1/tasks/${task.id}/nodes/node_${task.id.slice(5)}_1/non-delivery-claim-intents`);
  await expectEqual(2);
});

it('and so they do after a reorganisation, before and after what it removed is done again', async () => {
  const [first] = workers;
  const snapshot = await market.chain.anvil.blockNumber();
  const task = await openTask(buyer);
  const root = await hire(task, first, 100);
  await deliver(first, task, root);
  await market.chain.anvil.mine(1);
  await market.chain.anvil.reorg((await market.chain.anvil.blockNumber()) - snapshot);
  await market.indexed();
  // Nothing of the tree is left, and the task has the status that its signatures give it.
  expect((await buyer.get(`/v1/tasks/${task.id}/nodes`)).body.data).toEqual([]);
  await expectEqual(2);
  await buyer.act('buyer', `/v1/tasks/${task.id}/funding-intents`);
  await expectEqual(3);
});

it('and after the service was killed again and again in the middle of what people do', async () => {
  const seed = Number(process.env.RESILIENCE_SEED ?? randomInt(2 ** 31));
  process.stdout.write(`reconcile-crashes: RESILIENCE_SEED=${seed}\n`);
  const random = new Random(seed);
  for (let round = 0; round < ROUNDS; round += 1) {
    const played = history().then(
      () => 'played to its end',
      () => 'cut off',
    );
    await new Promise((resolve) => setTimeout(resolve, 150 + random.next() * 2_500));
    await market.service.stop('SIGKILL');
    await played;
    await market.serve();
    await market.indexed();
    const { code, output } = await market.reconcile();
    expect({ round, code, output }).toEqual({ round, code: 0, output: expect.stringMatching(/^equal/m) });
  }
  // Afterwards everything goes on as before.
  await history();
  const { code } = await market.reconcile();
  expect(code).toBe(0);
}, 400_000);
