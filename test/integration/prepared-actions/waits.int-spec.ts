import { randomUUID } from 'node:crypto';
import { nodeIdOf } from '#libs/kernel';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { waitsOf } from '../../support/database-waits.js';
import { type Principal, SigningStage } from '../../support/signing-stage.js';

/**
 * How often one prepare waits for Postgres: what takes most of its time, and what a statement too many adds to without
 * anybody noticing.
 */
const AMOUNT = 100_000_000n;
const KEY = ['idempotency-answer', 'wallet-nonce-peek-ahead'];
const OPENING = ['transaction-start', 'idempotency-reserve', 'prepared-actions-open', 'wallet-nonce-next'];
const END = ['idempotency-complete', 'transaction-commit'];

let stage: SigningStage;
let buyer: Principal;
let worker: Principal;

beforeAll(async () => {
  stage = await SigningStage.start();
  [buyer, worker] = [await stage.principal('buyer'), await stage.principal('worker')];
});
afterAll(() => stage?.stop());

const waits = (work: () => Promise<unknown>): Promise<string[][]> => waitsOf(stage.service.get(Transactions), work);

/** A task whose root node is funded, on the chain and in the index. */
async function funded(): Promise<{ path: string; taskId: string }> {
  const { chain, rows, service } = stage;
  const { id: taskId } = await rows.task(buyer.accountId, { buyerWallet: buyer.wallet.address });
  const tree = chain.tree(taskId, buyer.wallet);
  await service.rows('UPDATE tasks SET escrow_address = $2 WHERE id = $1', [taskId, tree.escrow]);
  const terms = await chain.terms({ nodeId: 1, worker: worker.wallet.address as `0x${string}`, amount: AMOUNT });
  await chain.create(tree);
  await chain.select(tree, terms, worker.wallet);
  await chain.fund(tree, terms);
  const task = { id: taskId, buyerAccountId: buyer.accountId, buyerWallet: buyer.wallet.address };
  await rows.node(task as never, { number: 1, workerAccountId: worker.accountId, workerWallet: worker.wallet.address });
  return { path: `/v1/tasks/${taskId}/nodes/${nodeIdOf(taskId, 1)}/abandon-intents`, taskId };
}

function abandon(path: string, key = randomUUID()): Promise<{ status: number; isReplay: boolean }> {
  const headers = { 'X-Api-Key': worker.keys.worker, 'Idempotency-Key': key };
  return fetch(`${stage.service.url}${path}`, { method: 'POST', headers }).then(async (answer) => {
    await answer.arrayBuffer();
    return { status: answer.status, isReplay: answer.headers.has('idempotent-replayed') };
  });
}

it('a node that is given up: one for what it reads, one for key, quota and nonce, one for all that it writes', async () => {
  const { path } = await funded();
  await abandon(path);
  const found = await waits(async () => expect(await abandon(path)).toEqual({ status: 200, isReplay: false }));
  expect(found).toEqual([[...KEY, 'node-access'], OPENING, ['prepared-action-insert', ...END]]);
});

it('its replay waits once', async () => {
  const { path } = await funded();
  const key = randomUUID();
  await abandon(path, key);
  const found = await waits(async () => expect(await abandon(path, key)).toEqual({ status: 200, isReplay: true }));
  expect(found).toHaveLength(1);
});

it('its refusal, which is kept, waits once for what it reads, and twice to be kept', async () => {
  const { path, taskId } = await funded();
  await stage.service.rows("UPDATE escrow_nodes SET state = 'delivered' WHERE task_id = $1", [taskId]);
  const found = await waits(async () => expect(await abandon(path)).toEqual({ status: 409, isReplay: false }));
  expect(found).toEqual([
    [...KEY, 'node-access'],
    ['transaction-start', 'idempotency-reserve', 'idempotency-complete'],
    ['COMMIT'],
  ]);
});

it.each([
  ['a task that is created', 6],
  ['an offer', 9],
  ['a selection', 6],
  ['a payment', 7],
])('%s waits %d times at most', async (what, most) => {
  expect((await steps())[what]!.length).toBeLessThanOrEqual(most);
});

let known: Promise<Record<string, string[][]>> | undefined;

/** The waits of each step from a task to its payment. */
function steps(): Promise<Record<string, string[][]>> {
  known ??= walk();
  return known;
}

async function walk(): Promise<Record<string, string[][]>> {
  const found: Record<string, string[][]> = {};
  const call = stage.call.bind(stage);
  stage.call = async (key, path, body) => {
    const what = {
      'task-creation-intents': 'a task that is created',
      quotes: 'an offer',
      'selection-intents': 'a selection',
      'funding-intents': 'a payment',
    }[path.split('/').at(-1)!];
    let answer: unknown;
    const waited = await waits(async () => (answer = await call(key, path, body)));
    if (what !== undefined) found[what] = waited;
    return answer;
  };
  try {
    await stage.payment(buyer, worker);
    await stage.payment(buyer, worker);
  } finally {
    stage.call = call;
  }
  return found;
}
