import {
  actionIdHash,
  encodeDeliver,
  encodeRejectTask,
  nodeNonce,
  NodeState,
  senderAuth,
} from '../../../libs/contracts/src/index.js';
import { childPath, EMPTY_REQUEST_DIGEST, type Hex } from '../../../libs/kernel/src/index.js';
import type { QuoteEntity } from '../../../src/modules/quotes/quote/quote.entity.js';
import type { Trader } from '../../support/action-fixture.js';
import { codeOf, failureOf } from '../../support/failure.js';
import { type FundedTask, FundingFixture, PRICE } from './funding-fixture.js';

const WINDOW = 259_200;
const CHILD_PRICE = 40_000_000n;
const DAY_MS = 86_400_000;
const ARTIFACT: Hex = `0x${'a7'.repeat(32)}`;

/** The path of a child of node 1. */
const child = (index: number): bigint => childPath(1n, index);

let fixture: FundingFixture;
let buyer: Trader;
let worker: Trader;
let subworker: Trader;

beforeAll(async () => {
  fixture = await FundingFixture.start();
  buyer = await fixture.person('buyer', 100n * PRICE);
  worker = await fixture.person('worker', 10n * PRICE);
  subworker = await fixture.person('subworker');
});

afterAll(() => fixture?.stop());

afterEach(() => {
  fixture.app.clock.aheadMs = 0;
});

/** A quote of the subworker for a child of node 1. */
function childQuote({ task }: FundedTask, change: Partial<QuoteEntity> = {}, hirer = worker): Promise<QuoteEntity> {
  const own = { nodePath: child(2), price: CHILD_PRICE, ...change };
  return fixture.quote(task, hirer, subworker, own);
}

function hire({ task, nodeId }: FundedTask, quote: { id: string }, change: object = {}, hirer = worker) {
  const input = { taskId: task.id, nodeId, quoteId: quote.id, acceptWindowSeconds: WINDOW, ...change };
  return fixture.prepare('subcontract', hirer, input);
}

describe('hiring out of the own node', () => {
  it('is one direct call that promises a part of the money', async () => {
    const stand = await fixture.funded(buyer, worker);
    const action = await hire(stand, await childQuote(stand));
    expect(action).toMatchObject({ kind: 'subcontract', node_id: stand.nodeId, wallet_address: worker.address });
    const { message, primaryType, transaction } = action.payload as Record<string, any>;
    expect(primaryType).toBe('Subcontract');
    expect(message.terms).toMatchObject({ nodeId: child(2).toString(), amount: CHILD_PRICE.toString() });
    expect(message.actionId).toBe(actionIdHash(action.action_id));
    expect(transaction.to).toBe(stand.task.escrowAddress);
    await fixture.sendDirect(action);
    expect(await fixture.node(stand.task, 1n)).toMatchObject({ allocated: CHILD_PRICE });
    expect(await fixture.node(stand.task, child(2))).toMatchObject({ state: NodeState.Funded, hirerFunded: false });
  });

  it('is relayed with a signature, also of a contract wallet', async () => {
    for (const hirer of [await fixture.person('key'), await fixture.contractPerson('contract')]) {
      const stand = await fixture.funded(buyer, hirer);
      const action = await hire(stand, await childQuote(stand, {}, hirer), {}, hirer);
      const { transaction } = await fixture.submit(hirer, action);
      await fixture.chain.send(transaction!.to, transaction!.data);
      expect(await fixture.node(stand.task, child(2))).toMatchObject({
        state: NodeState.Funded,
        worker: subworker.address,
      });
    }
  });

  it('is signed as long as the work still fits in the time of the node above, and not when nobody could sign in time', async () => {
    const stand = await fixture.funded(buyer, worker);
    const { deliverBy } = (await fixture.node(stand.task, 1n))!;
    const left = deliverBy - Math.floor(fixture.app.clock.nowMs() / 1000);
    const late = await childQuote(stand, { workSeconds: left - 60 });
    expect(await codeOf(hire(stand, late))).toBe('nesting_violation');
    const quote = await childQuote(stand, { nodePath: child(3), workSeconds: left - 300 });
    const action = await hire(stand, quote);
    const { validUntil } = (action.payload as Record<string, any>).message;
    expect(Number(validUntil)).toBe(deliverBy - quote.workSeconds);
    expect(Date.parse(action.expires_at)).toBe(Number(validUntil) * 1000);
    await fixture.sendDirect(action);
    expect(await fixture.node(stand.task, child(3))).toMatchObject({ state: NodeState.Funded });
  });

  it('takes the last unit of the floor that is not promised, and not one more', async () => {
    const stand = await fixture.funded(buyer, worker);
    const tooMuch = await childQuote(stand, { price: PRICE / 2n + 1n });
    expect(await codeOf(hire(stand, tooMuch))).toBe('insufficient_unallocated');
    await fixture.sendDirect(await hire(stand, await childQuote(stand, { nodePath: child(3), price: PRICE / 2n })));
    const next = await childQuote(stand, { nodePath: child(4), price: 1_000_000n });
    expect(await codeOf(hire(stand, next))).toBe('insufficient_unallocated');
  });

  it('has no other way of paying', async () => {
    const stand = await fixture.funded(buyer, worker);
    const quote = await childQuote(stand);
    expect(await codeOf(hire(stand, quote, { fundingMode: 'authorization' }))).toBe('state_conflict');
  });
});

describe('hiring with money of the own wallet', () => {
  it('is one signature over the token that anybody takes to the chain', async () => {
    const stand = await fixture.funded(buyer, worker);
    const quote = await childQuote(stand, { hirerFunded: true });
    const action = await hire(stand, quote);
    expect(action.payload).toMatchObject({ primaryType: 'ReceiveWithAuthorization' });
    const before = await fixture.chain.balanceOf(worker.address);
    const { transaction } = await fixture.submit(worker, action);
    await fixture.chain.send(transaction!.to, transaction!.data);
    expect(await fixture.node(stand.task, child(2))).toMatchObject({ state: NodeState.Funded, hirerFunded: true });
    expect(await fixture.node(stand.task, 1n)).toMatchObject({ allocated: 0n });
    expect(await fixture.chain.balanceOf(worker.address)).toBe(before - CHILD_PRICE);
  });

  it('may cost more than the node has', async () => {
    const stand = await fixture.funded(buyer, worker);
    const quote = await childQuote(stand, { hirerFunded: true, price: 2n * PRICE });
    expect(await codeOf(hire(stand, quote))).toBe('none');
  });

  it('is a call of the wallet itself by permit, and two by allowance', async () => {
    const stand = await fixture.funded(buyer, worker);
    const quote = await childQuote(stand, { hirerFunded: true });
    const { transaction } = await fixture.submit(worker, await hire(stand, quote, { fundingMode: 'permit' }));
    expect(transaction?.from).toBe(worker.address);
    await fixture.chain.sendAs(worker.address, transaction!);
    const other = await childQuote(stand, { hirerFunded: true, nodePath: child(3) });
    await fixture.sendDirect(await hire(stand, other, { fundingMode: 'allowance' }));
    const states = await Promise.all([2, 3].map((index) => fixture.node(stand.task, child(index))));
    expect(states.map((node) => node?.state)).toEqual([NodeState.Funded, NodeState.Funded]);
  });

  it('is refused when the wallet has too little', async () => {
    const poor = await fixture.person('poor', 1n);
    const stand = await fixture.funded(buyer, poor);
    const quote = await childQuote(stand, { hirerFunded: true }, poor);
    expect(await failureOf(hire(stand, quote, {}, poor))).toMatchObject({
      code: 'state_conflict',
      reason: expect.stringContaining('39.999999 USDC are missing'),
    });
  });
});

describe('what is refused', () => {
  let stand: FundedTask;

  beforeAll(async () => {
    stand = await fixture.funded(buyer, worker);
  });

  it('hides the node, then names the role, then hides the quote', async () => {
    const quote = await childQuote(stand, { nodePath: child(10) });
    const foreign = await fixture.person('foreign');
    expect(await codeOf(hire(stand, quote, {}, foreign))).toBe('not_found');
    expect(await codeOf(hire(stand, quote, {}, buyer))).toBe('not_node_worker');
    expect(await codeOf(hire(stand, { id: 'quote_unknown' }, {}, buyer))).toBe('not_node_worker');
    expect(await codeOf(hire(stand, { id: 'quote_unknown' }))).toBe('not_found');
    const unsigned = await childQuote(stand, { nodePath: child(11), status: 'pending_signature' });
    expect(await codeOf(hire(stand, unsigned))).toBe('not_found');
    const elsewhere = await fixture.funded(buyer, worker);
    expect(await codeOf(hire(stand, await childQuote(elsewhere)))).toBe('not_found');
  });

  it.each([
    ['withdrawn', 20, 'state_conflict'],
    ['declined', 21, 'state_conflict'],
    ['accepted', 22, 'state_conflict'],
    ['expired', 23, 'quote_expired'],
  ] as const)('a quote that is %s', async (status, index, code) => {
    const quote = await childQuote(stand, { nodePath: child(index), status });
    expect(await codeOf(hire(stand, quote))).toBe(code);
  });

  it('a quote for another node, another accept window, other terms', async () => {
    const other = await childQuote(stand, { nodePath: childPath(7n, 40) });
    const quote = await childQuote(stand, { nodePath: child(41) });
    const terms = await childQuote(stand, { nodePath: child(42), termsHash: `0x${'01'.repeat(32)}` });
    expect(await codeOf(hire(stand, other))).toBe('state_conflict');
    expect(await codeOf(hire(stand, quote, { acceptWindowSeconds: WINDOW + 1 }))).toBe('terms_mismatch');
    expect(await codeOf(hire(stand, terms))).toBe('terms_mismatch');
  });

  it('a time to work that ends after that of the node, by one second', async () => {
    const node = await fixture.node(stand.task, 1n);
    const left = node!.deliverBy - Math.floor(fixture.app.clock.nowMs() / 1000);
    const late = await childQuote(stand, { nodePath: child(50), workSeconds: left + 1 });
    const inTime = await childQuote(stand, { nodePath: child(51), workSeconds: left - 3_600 });
    expect(await codeOf(hire(stand, late))).toBe('nesting_violation');
    expect(await codeOf(hire(stand, inTime))).toBe('none');
  });

  it('a quote whose time is over, and a node whose time is over', async () => {
    const quote = await childQuote(stand, { nodePath: child(60) });
    const long = await childQuote(stand, {
      nodePath: child(61),
      validUntil: new Date(Math.floor(Date.now() / 1000) * 1000 + 9 * DAY_MS),
    });
    fixture.app.clock.aheadMs = 2 * DAY_MS + 2_000;
    expect(await codeOf(hire(stand, quote))).toBe('quote_expired');
    fixture.app.clock.aheadMs = 8 * DAY_MS + 2_000;
    expect(await codeOf(hire(stand, long))).toBe('window_closed');
  });

  it('a quote that its worker has cancelled on the chain, whichever way it would be paid', async () => {
    const own = await childQuote(stand, { nodePath: child(70) });
    const wallet = await childQuote(stand, { nodePath: child(71), hirerFunded: true });
    const tree = { taskId: stand.task.id, escrow: stand.task.escrowAddress as any, buyer: buyer.key };
    for (const { nonce } of [own, wallet]) await fixture.chain.cancelNonce(tree, subworker.key, nonce);
    for (const quote of [own, wallet]) {
      expect(await failureOf(hire(stand, quote))).toMatchObject({
        code: 'state_conflict',
        reason: expect.stringContaining('withdrawn'),
      });
    }
  });

  it('a quote whose agent is suspended, also when it was taken before and its signature comes now', async () => {
    const quote = await childQuote(stand, { nodePath: child(75) });
    const action = await hire(stand, quote);
    const moderated = (status: string) =>
      fixture.dataSource.query('UPDATE agents SET status = $2 WHERE id = $1', [quote.agentId, status]);
    await moderated('suspended');
    const refusals = [await failureOf(hire(stand, quote)), await failureOf(fixture.submit(worker, action))];
    await moderated('active');
    const suspended = { code: 'state_conflict', reason: expect.stringContaining('suspended') };
    expect(refusals).toMatchObject([suspended, suspended]);
    expect((await fixture.submit(worker, action)).transaction).toBeDefined();
  });

  it('a quote that somebody else has signed', async () => {
    const quote = await childQuote(stand, { nodePath: child(80) });
    await fixture.dataSource.query('UPDATE quotes SET price = price + 1 WHERE id = $1', [quote.id]);
    expect(await failureOf(hire(stand, quote))).toMatchObject({
      code: 'state_conflict',
      reason: expect.stringContaining('no longer accepts'),
    });
  });

  it('a node that the chain no longer has as funded although the index does', async () => {
    const given = await fixture.funded(buyer, worker);
    const quote = await childQuote(given);
    const tree = { taskId: given.task.id, escrow: given.task.escrowAddress as any, buyer: buyer.key };
    await fixture.chain.deliver(tree, 1n, worker.key);
    expect(await codeOf(hire(given, quote))).toBe('node_not_funded');
    await fixture.dataSource.query(`UPDATE escrow_nodes SET state = 'delivered' WHERE id = $1`, [given.nodeId]);
    expect(await codeOf(hire(given, quote))).toBe('node_not_funded');
  });
});

describe('two callers at the same moment', () => {
  it('for the last of the floor: one is mined, the other is told that the money is promised', async () => {
    const stand = await fixture.funded(buyer, worker);
    const quotes = [
      await childQuote(stand, { price: 30_000_000n }),
      await childQuote(stand, { nodePath: child(3), price: 30_000_000n }),
    ];
    const [first, second] = await Promise.all(quotes.map((quote) => hire(stand, quote)));
    await fixture.sendDirect(first!);
    await expect(fixture.sendDirect(second!)).rejects.toThrow('refused');
    expect(await codeOf(hire(stand, quotes[1]!))).toBe('insufficient_unallocated');
    expect(await fixture.node(stand.task, 1n)).toMatchObject({ allocated: 30_000_000n });
  });

  it('for the same quote: one is mined, the other is told that it was taken', async () => {
    const stand = await fixture.funded(buyer, worker);
    const quote = await childQuote(stand);
    const [first, second] = await Promise.all([hire(stand, quote), hire(stand, quote)]);
    expect(first!.nonce).toBe(second!.nonce);
    await fixture.sendDirect(second!);
    await expect(fixture.sendDirect(first!)).rejects.toThrow('refused');
    expect(await failureOf(hire(stand, quote))).toMatchObject({
      code: 'state_conflict',
      reason: expect.stringContaining('taken up already'),
    });
  });
});

describe('the tree above', () => {
  it('is eight levels deep at most, each in the time and the floor of the one above', async () => {
    const levels = await Promise.all(Array.from({ length: 8 }, (_, level) => fixture.person(`level ${level + 1}`)));
    const root = await fixture.funded(buyer, levels[0]!);
    let stand = root;
    for (const [above, hired] of levels.slice(1).entries()) {
      const hirer = levels[above]!;
      const { nodePath, floor, workSeconds } = stand.quote;
      const own = { nodePath: childPath(nodePath, 2), price: floor, workSeconds: workSeconds - 3_600 };
      const quote = await fixture.quote(root.task, hirer, hired, own);
      await fixture.sendDirect(await hire(stand, quote, {}, hirer));
      stand = { ...root, quote, nodeId: await fixture.indexed(root.task, quote, hirer) };
    }
    expect(await fixture.node(root.task, stand.quote.nodePath)).toMatchObject({ state: NodeState.Funded });
    expect(() => childPath(stand.quote.nodePath, 1)).toThrow(RangeError);
  });

  it('may have ended with its children paid: a node below goes on hiring', async () => {
    const stand = await fixture.funded(buyer, worker);
    const quote = await childQuote(stand);
    await fixture.sendDirect(await hire(stand, quote));
    const hired = { ...stand, nodeId: await fixture.indexed(stand.task, quote, worker) };
    const tree = { taskId: stand.task.id, escrow: stand.task.escrowAddress as any, buyer: buyer.key };
    await fixture.chain.agree(tree, { nodeId: 1n, amount: PRICE } as any, CHILD_PRICE, worker.key);
    const third = await fixture.person('third');
    const path = childPath(quote.nodePath, 3);
    const own = { nodePath: path, price: 1_000_000n, workSeconds: 3_600 };
    const below = await fixture.quote(stand.task, subworker, third, own);
    await fixture.sendDirect(await hire(hired, below, {}, subworker));
    expect(await fixture.node(stand.task, path)).toMatchObject({ state: NodeState.Funded, worker: third.address });
  });
});

// The last of the file: the chain's own clock moves on.
it('hiring with what time has sent back to the wallet finalizes that first, and moves no token', async () => {
  const stand = await fixture.funded(buyer, worker);
  const first = await childQuote(stand, { hirerFunded: true, workSeconds: 3_600 });
  await fixture.sendDirect(await hire(stand, first, { fundingMode: 'allowance' }));
  const { escrowAddress: to } = stand.task;
  const auth = async () => {
    const { version } = (await fixture.node(stand.task, child(2)))!;
    const nonce = nodeNonce(child(2), version);
    return senderAuth({ actionId: ARTIFACT, requestDigest: EMPTY_REQUEST_DIGEST, nonce, validUntil: 40_000_000_000n });
  };
  const delivery = encodeDeliver(child(2), ARTIFACT, false, await auth());
  await fixture.chain.sendAs(subworker.address, { to, data: delivery });
  const rejection = encodeRejectTask(child(2), ARTIFACT, ARTIFACT, await auth());
  await fixture.chain.sendAs(worker.address, { to, data: rejection });
  const { clock } = (await fixture.node(stand.task, child(2)))!;
  const id = await fixture.indexed(stand.task, first, worker);
  const row = [id, new Date(clock * 1000)];
  await fixture.dataSource.query(`UPDATE escrow_nodes SET state = 'rejected', clock = $2 WHERE id = $1`, row);
  fixture.app.clock.aheadMs = 2 * 3_600_000;
  await fixture.chain.anvil.rpc('evm_increaseTime', '0x1c20');
  await fixture.chain.anvil.mine();

  const action = await hire(stand, await childQuote(stand, { hirerFunded: true, nodePath: child(3) }));
  expect(action.payload).toMatchObject({ primaryType: 'Subcontract', message: { fundingMode: '3' } });
  const dear = await childQuote(stand, { hirerFunded: true, nodePath: child(4), price: CHILD_PRICE + 1n });
  expect(await failureOf(hire(stand, dear, { fundingMode: 'refund_balance' }))).toMatchObject({
    code: 'state_conflict',
    reason: expect.stringContaining('0.000001 USDC too small'),
  });
  const before = await fixture.chain.balanceOf(worker.address);
  await fixture.sendDirect(action);
  const states = await Promise.all([2, 3].map((index) => fixture.node(stand.task, child(index))));
  expect(states.map((node) => node?.state)).toEqual([NodeState.Refunded, NodeState.Funded]);
  expect(await fixture.chain.balanceOf(worker.address)).toBe(before);
  expect(await fixture.refundOf(stand.task, worker)).toBe(0n);
});
