import { randomUUID } from 'node:crypto';
import { nodeIdOf } from '#libs/kernel';
import { Environment } from '../../../src/platform/config/environment.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { waitsOf } from './database-waits.js';
import { type Principal, SigningFixture } from '../../support/signing-fixture.js';

/**
 * How often one prepare waits for Postgres: what takes most of its time, and what a statement too many adds to without
 * anybody noticing.
 */
const AMOUNT = 100_000_000n;
const KEY = 'idempotency-answer';
const OPENING = ['transaction-start', 'idempotency-reserve', 'prepared-actions-open'];
const END = ['idempotency-complete', 'transaction-commit'];

let fixture: SigningFixture;
let buyer: Principal;
let worker: Principal;

beforeAll(async () => {
  fixture = await SigningFixture.start();
  // Counted as in every deployment that limits what an account prepares.
  fixture.service.get(Environment).quotaActions = 10_000;
  [buyer, worker] = [await fixture.principal('buyer'), await fixture.principal('worker')];
});
afterAll(() => fixture?.stop());

const waits = (work: () => Promise<unknown>): Promise<string[][]> => waitsOf(fixture.service.get(Transactions), work);

/** A task whose root node is funded, on the chain and in the index. */
async function funded(): Promise<{ path: string; taskId: string }> {
  const { chain, rows, service } = fixture;
  const { id: taskId } = await rows.task(buyer.accountId, { buyerWallet: buyer.wallet.address });
  const tree = chain.tree(taskId, buyer.wallet);
  await service.rows('UPDATE tasks SET escrow_address = $2 WHERE id = $1', [taskId, tree.escrow]);
  const terms = chain.terms({ nodeId: 1n, worker: worker.wallet.address as `0x${string}`, amount: AMOUNT });
  await chain.create(tree);
  await chain.fund(tree, terms, worker.wallet);
  const task = { id: taskId, buyerAccountId: buyer.accountId, buyerWallet: buyer.wallet.address };
  await rows.node(task as never, { path: 1n, workerAccountId: worker.accountId, workerWallet: worker.wallet.address });
  return { path: `/v1/tasks/${taskId}/nodes/${nodeIdOf(taskId, 1n)}/abandon-intents`, taskId };
}

function abandon(path: string, key = randomUUID()): Promise<{ status: number; isReplay: boolean }> {
  const headers = { 'X-Api-Key': worker.keys.worker, 'Idempotency-Key': key };
  return fetch(`${fixture.service.url}${path}`, { method: 'POST', headers }).then(async (answer) => {
    await answer.arrayBuffer();
    return { status: answer.status, isReplay: answer.headers.has('idempotent-replayed') };
  });
}

it('a node that is given up: one for what it reads, one for key and quota, one for all that it writes', async () => {
  const { path } = await funded();
  await abandon(path);
  const found = await waits(async () => expect(await abandon(path)).toEqual({ status: 200, isReplay: false }));
  expect(found).toEqual([[KEY, 'node-access'], OPENING, ['prepared-action-insert', 'event-outbox-insert-one', ...END]]);
});

it('an action that is declined: four to judge it as of now, and four for its row, its event, the audit and the end', async () => {
  const decline = async (): Promise<number> => {
    const { action_id: id } = await fixture.publication(buyer);
    const headers = { 'X-Api-Key': buyer.keys.buyer, 'Idempotency-Key': randomUUID() };
    let status = 0;
    found = await waits(async () => {
      const answer = await fetch(`${fixture.service.url}/v1/actions/${id}/declines`, { method: 'POST', headers });
      await answer.arrayBuffer();
      status = answer.status;
    });
    return status;
  };
  let found: string[][] = [];
  await decline();
  expect(await decline()).toBe(200);
  expect(found).toHaveLength(8);
  expect(found.at(-1)).toEqual(END);
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
  await fixture.service.rows("UPDATE escrow_nodes SET state = 'delivered' WHERE task_id = $1", [taskId]);
  const found = await waits(async () => expect(await abandon(path)).toEqual({ status: 409, isReplay: false }));
  expect(found).toEqual([
    [KEY, 'node-access'],
    ['transaction-start', 'idempotency-reserve', 'idempotency-complete'],
    ['COMMIT'],
  ]);
});

const ADMITTED = ['task-parties-admit', ...END];

it.each([
  [
    'a task that is created',
    [
      [KEY],
      OPENING,
      ['prepared-action-insert', 'event-outbox-insert-one', 'tasks-insert', 'event-outbox-insert-one', ...ADMITTED],
    ],
  ],
  [
    'an offer, which must know the place of its node before it can be written',
    [
      [KEY, 'agent-owned', 'offer-holds-arbiter', 'offers-of-account', 'task_visible'],
      OPENING,
      ['task-node-index'],
      ['prepared-action-insert', 'event-outbox-insert-one', 'quotes-insert', ...ADMITTED],
    ],
  ],
  [
    'a selection',
    [
      [KEY, 'agent', 'root-offers-of-agent', 'task_visible'],
      OPENING,
      ['prepared-action-insert', 'event-outbox-insert-one', ...END],
    ],
  ],
  [
    'a payment',
    [[KEY, 'selected-quote', 'task_visible'], OPENING, ['prepared-action-insert', 'event-outbox-insert-one', ...END]],
  ],
])('%s: one wait for what it reads, one for key and quota, one for all that it writes', async (what, expected) => {
  const [read = [], ...written] = (await steps())[what.split(',')[0]!]!;
  // What is read leaves together, in an order without meaning.
  expect([read.toSorted(), ...written]).toEqual([expected[0]!.toSorted(), ...expected.slice(1)]);
});

it('a task that counts towards a quota: one wait more, in which the quota is locked and then counted', async () => {
  const environment = fixture.service.get(Environment);
  environment.quotaTasks = 300;
  try {
    await fixture.publication(buyer);
    const found = await waits(() => fixture.publication(buyer));
    expect(found.slice(1)).toEqual([
      OPENING,
      ['prepared-action-insert', 'event-outbox-insert-one', 'quota-lock', 'tasks-unpaid'],
      ['tasks-insert', 'event-outbox-insert-one', ...ADMITTED],
    ]);
  } finally {
    environment.quotaTasks = 0;
  }
});

let known: Promise<Record<string, string[][]>> | undefined;

/** The waits of each step from a task to its payment. */
function steps(): Promise<Record<string, string[][]>> {
  known ??= walk();
  return known;
}

async function walk(): Promise<Record<string, string[][]>> {
  const found: Record<string, string[][]> = {};
  const call = fixture.call.bind(fixture);
  fixture.call = async (key, path, body) => {
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
    await fixture.payment(buyer, worker);
    await fixture.payment(buyer, worker);
  } finally {
    fixture.call = call;
  }
  return found;
}
