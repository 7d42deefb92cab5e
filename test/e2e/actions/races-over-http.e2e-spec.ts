import { type Actor, type Call, IntentsMarket } from '../../support/e2e/intents-market.js';
import { IntentsScenario, type Offer, USDC } from '../../support/e2e/intents-scenario.js';
import type { ClientAnswer, Intent } from '../../support/e2e/spec-client.js';
import { nodeIdOf } from '../../support/e2e/spec-client.js';

/**
 * Two competing actions at the same moment, over HTTP and then on the chain: exactly one wins, and what the loser is
 * told is true.
 */
const ROUNDS = Array.from({ length: 20 }, (_, index) => index + 1);

let market: IntentsMarket;
let scenario: IntentsScenario;
let buyer: Actor;
let worker: Actor;
let first: Actor;
let second: Actor;

beforeAll(async () => {
  market = await IntentsMarket.start();
  scenario = new IntentsScenario(market);
  buyer = await market.actor('Racing buyer');
  worker = await market.actor('Racing worker');
  first = await market.actor('Racing first');
  second = await market.actor('Racing second');
});
afterAll(() => market?.stop());

const codesOf = (answers: ClientAnswer[]): string[] =>
  answers.map(({ status, body }) => (status === 200 ? '200' : `${status} ${body.error.code}`));

/** Sends both transactions: in odd rounds they share one block, in even rounds each gets its own. */
async function racing(round: number, sends: [string, Call][]): Promise<{ hash: string; ok: boolean }[]> {
  const { anvil } = market.stack.chain;
  if (round % 2 === 0) return Promise.all(sends.map(([from, call]) => market.transact(from, call)));
  await anvil.rpc('evm_setAutomine', false);
  try {
    const sent = sends.map(([from, { to, data }]) =>
      anvil.rpc<string>('eth_sendTransaction', { from, to, data, gas: '0x2dc6c0' }),
    );
    const hashes = await Promise.all(sent);
    await anvil.rpc('evm_mine');
    return await Promise.all(hashes.map(async (hash) => ({ hash, ok: await market.isExecuted(hash) })));
  } finally {
    await anvil.rpc('evm_setAutomine', true);
  }
}

/** Prepares, signs and submits both at the same time. The service accepts both, because only the chain moves money. */
async function bothSigned(who: Actor, intents: [Intent, Intent]): Promise<{ action: any; transaction: any }[]> {
  return Promise.all(intents.map((intent) => market.sign(who, intent)));
}

/** Which of the two was executed. Fails unless exactly one was. */
function winnerOf(results: { ok: boolean }[]): [winner: 0 | 1, loser: 0 | 1] {
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  return results[0]!.ok ? [0, 1] : [1, 0];
}

/**
 * Expects what the loser is told from then on: by its action, when it submits a late signature, and when it prepares
 * again.
 */
async function expectLost(who: Actor, intent: Intent, action: any, code: string): Promise<void> {
  await market.comesToBe(who, action.action_id, 'superseded');
  const signature = await market.signature(who, action.payload);
  const late = await who.client.handIn(intent.scope, action.action_id, { signature });
  expect(codesOf([late, await who.client.send(intent)])).toEqual(['409 state_conflict', `409 ${code}`]);
}

describe('the last money of a node that is not promised', () => {
  it.each(ROUNDS)('goes to one of two hired at once: round %i', async (round) => {
    const root = await scenario.funded(buyer, worker, { floor: 100n * USDC });
    const offers = await Promise.all(
      [first, second].map((child) => scenario.offer(worker, child, root.task, { parent: root, price: 60n * USDC })),
    );
    const intents = offers.map((offer) => worker.intents.subcontract(offer, offer.quoteId)) as [Intent, Intent];
    const signed = await bothSigned(worker, intents);
    const results = await racing(
      round,
      signed.map(({ transaction }, index): [string, Call] => [senders()[index]!, transaction]),
    );
    const [winner, loser] = winnerOf(results);
    await market.confirmed(worker, signed[winner]!.action, results[winner]!.hash);
    // The refusal is true: the node's state shows too little unallocated money.
    const again = await worker.client.send(intents[loser]);
    expect(codesOf([again])).toEqual(['409 insufficient_unallocated']);
    expect(again.body.error.reason).toContain('40.00 USDC');
    expect((await scenario.node(root)).unallocated.amount).toBe('40.00');
    expect(await scenario.node(offers[loser]!)).toBeUndefined();
    expect((await scenario.node(offers[winner]!)).state).toBe('funded');
    expect(await scenario.held(buyer, root.task)).toBe(100n * USDC);
    // Handing in the failed transaction answers that it failed.
    const { action } = signed[loser]!;
    const told = await worker.client.handIn('worker', action.action_id, { transaction_hash: results[loser]!.hash });
    expect([told.status, told.body.status]).toEqual([200, 'failed']);
  });
});

describe('one quote', () => {
  it.each(ROUNDS)('is selected as often as the buyer likes and paid once: round %i', async (round) => {
    const offer = await scenario.offer(buyer, worker, await scenario.task(buyer));
    const select = buyer.intents.selectAgent(offer);
    const selections = await bothSigned(buyer, [select, select]);
    expect(await scenario.status(buyer, offer.task)).toBe('selected');
    const before = await scenario.balance(buyer.wallet);
    const pay = buyer.intents.fundTask(offer, { mode: 'authorization' });
    const payments = await bothSigned(buyer, [pay, pay]);
    const results = await racing(
      round,
      payments.map(({ transaction }, index): [string, Call] => [senders()[index]!, transaction]),
    );
    const [winner, loser] = winnerOf(results);
    await market.confirmed(buyer, payments[winner]!.action, results[winner]!.hash);
    await expectLost(buyer, pay, payments[loser]!.action, 'state_conflict');
    expect(codesOf([await buyer.client.send(select)])).toEqual(['409 state_conflict']);
    expect(await scenario.status(buyer, offer.task)).toBe('funded');
    expect(await onlyNodeOf(offer)).toBe(nodeIdOf(offer.task, offer.terms.nodeId));
    expect(before - (await scenario.balance(buyer.wallet))).toBe(offer.terms.amount);
    expect(await scenario.held(buyer, offer.task)).toBe(offer.terms.amount);
    // Both said the same, and the payment has made it good.
    for (const { action } of selections) await market.comesToBe(buyer, action.action_id, 'confirmed');
  });

  it.each(ROUNDS)('is taken up once by a hirer that asks twice: round %i', async (round) => {
    const root = await scenario.funded(buyer, worker);
    const offer = await scenario.offer(worker, first, root.task, { parent: root, price: 30n * USDC });
    const intent = worker.intents.subcontract(offer, offer.quoteId);
    const signed = await bothSigned(worker, [intent, intent]);
    const results = await racing(
      round,
      signed.map(({ transaction }, index): [string, Call] => [senders()[index]!, transaction]),
    );
    const [winner, loser] = winnerOf(results);
    await market.confirmed(worker, signed[winner]!.action, results[winner]!.hash);
    expect(codesOf([await worker.client.send(intent)])).toEqual(['409 state_conflict']);
    const told = await worker.client.read(`/v1/actions/${signed[loser]!.action.action_id}`);
    expect(['confirmed', 'final']).not.toContain(told.status);
    expect((await scenario.node(root)).unallocated.amount).toBe('70.00');
    expect(await scenario.held(buyer, root.task)).toBe(100n * USDC);
  });
});

describe('one nonce', () => {
  it.each(ROUNDS)('is used once, whoever sends and hands in how often: round %i', async (round) => {
    const root = await scenario.funded(buyer, worker);
    const intent = worker.intents.abandon(root);
    const { action } = await market.ask(worker, intent);
    const signature = await market.signature(worker, action.payload);
    const handIn = () => worker.client.handIn('worker', action.action_id, { signature });
    const answers = await Promise.all([handIn(), handIn(), handIn()]);
    expect(codesOf(answers)).toEqual(['200', '200', '200']);
    expect(new Set(answers.map(({ body }) => body.transaction.data)).size).toBe(1);
    const { transaction } = answers[0]!.body;
    const results = await racing(round, [
      [senders()[0]!, transaction],
      [senders()[1]!, transaction],
      [worker.wallet, action.payload.transaction],
    ]);
    const executed = results.filter(({ ok }) => ok);
    expect(executed).toHaveLength(1);
    await market.confirmed(worker, action, executed[0]!.hash);
    expect(codesOf([await handIn(), await worker.client.send(intent)])).toEqual([
      '409 state_conflict',
      '409 node_not_funded',
    ]);
    expect(await scenario.held(buyer, root.task)).toBe(100n * USDC);
    expect(await scenario.node(root)).toMatchObject({ state: 'refunded', outcome: 'abandoned' });
  });

  it('is the same for all that ask at the same time; every one of them can be signed, and one runs', async () => {
    const root = await scenario.funded(buyer, worker);
    const intent = worker.intents.abandon(root);
    // Ten at a time, because an account may have ten writes in progress.
    const asked = await Promise.all(ROUNDS.slice(0, 10).map(() => market.ask(worker, intent)));
    expect(new Set(asked.map(({ action }) => action.nonce)).size).toBe(1);
    expect(new Set(asked.map(({ action }) => action.action_id)).size).toBe(10);
    const signatures = asked.map(({ action }) => market.signature(worker, action.payload));
    const handedIn = (await Promise.all(signatures)).map((signature, index) =>
      worker.client.handIn('worker', asked[index]!.action.action_id, { signature }),
    );
    const answers = await Promise.all(handedIn);
    expect(codesOf(answers)).toEqual(asked.map(() => '200'));
    const results = [];
    for (const { body } of answers) results.push(await market.transact(market.relayer, body.transaction));
    expect(results.map(({ ok }) => ok)).toEqual(asked.map((_, index) => index === 0));
    await market.confirmed(worker, asked[0]!.action, results[0]!.hash);
    for (const { action } of asked.slice(1)) await market.comesToBe(worker, action.action_id, 'superseded');
  });
});

describe('a selection that is replaced', () => {
  const twoOffers = async () => {
    const task = await scenario.task(buyer);
    return [await scenario.offer(buyer, first, task), await scenario.offer(buyer, second, task)] as const;
  };
  const pay = (offer: Offer): Intent => buyer.intents.fundTask(offer, { mode: 'authorization' });

  it('takes the payment along that was only prepared: its signature is refused, and the new one is paid', async () => {
    const [old, chosen] = await twoOffers();
    await market.sign(buyer, buyer.intents.selectAgent(old));
    const { action } = await market.ask(buyer, pay(old));
    await market.sign(buyer, buyer.intents.selectAgent(chosen));
    const signature = await market.signature(buyer, action.payload);
    const late = await buyer.client.handIn('buyer', action.action_id, { signature });
    expect(codesOf([late])).toEqual(['409 state_conflict']);
    await market.perform(buyer, pay(chosen), 'signed');
    expect(await onlyNodeOf(chosen)).toBe(nodeIdOf(chosen.task, chosen.terms.nodeId));
    expect(await scenario.held(buyer, chosen.task)).toBe(chosen.terms.amount);
  });

  it('cannot be replaced while its signed payment is on its way', async () => {
    const [old, chosen] = await twoOffers();
    await market.sign(buyer, buyer.intents.selectAgent(old));
    const { action: other } = await market.ask(buyer, buyer.intents.selectAgent(chosen));
    const { action, transaction } = await market.sign(buyer, pay(old));
    expect(await scenario.status(buyer, old.task)).toBe('funding_pending');
    const signature = await market.signature(buyer, other.payload);
    const refused = [
      await buyer.client.handIn('buyer', other.action_id, { signature }),
      await buyer.client.send(buyer.intents.selectAgent(chosen)),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 409]);
    const { hash, ok } = await market.transact(market.relayer, transaction);
    expect(ok).toBe(true);
    await market.confirmed(buyer, action, hash);
    expect(await onlyNodeOf(old)).toBe(nodeIdOf(old.task, old.terms.nodeId));
    expect(await scenario.held(buyer, old.task)).toBe(old.terms.amount);
  });
});

/** Two accounts of the chain that relay calls, so that two transactions fit into one block. */
function senders(): [string, string] {
  return [market.relayer, second.key];
}

/** The id of the only node of the offer's task. */
async function onlyNodeOf({ task }: Offer): Promise<string> {
  const { data } = await buyer.client.read(`/v1/tasks/${task.id}/nodes`);
  expect(data).toHaveLength(1);
  return data[0].id;
}
