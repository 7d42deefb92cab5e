import { actionIdHash, NodeState } from '../../../libs/contracts/src/index.js';
import type { QuoteEntity } from '../../../src/modules/quotes/quote/quote.entity.js';
import type { Trader } from '../../support/action-fixture.js';
import { codeOf, failureOf } from '../../support/failure.js';
import { type FundedTask, FundingFixture, PRICE } from '../../support/funding-fixture.js';

const WINDOW = 259_200;
const CHILD_PRICE = 40_000_000n;
const DAY_MS = 86_400_000;

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
  const own = { nodeNumber: 2, parentNodeNumber: 1, price: CHILD_PRICE, ...change };
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
    expect(message.terms).toMatchObject({ nodeId: '2', parentNodeId: '1', amount: CHILD_PRICE.toString() });
    expect(message.actionId).toBe(actionIdHash(action.action_id));
    expect(transaction.to).toBe(stand.task.escrowAddress);
    await fixture.sendDirect(action);
    expect(await fixture.node(stand.task, 1)).toMatchObject({ allocated: CHILD_PRICE });
    expect(await fixture.node(stand.task, 2)).toMatchObject({ state: NodeState.Funded, hirerFunded: false });
  });

  it('is relayed with a signature, also of a contract wallet', async () => {
    for (const hirer of [await fixture.person('key'), await fixture.contractPerson('contract')]) {
      const stand = await fixture.funded(buyer, hirer);
      const action = await hire(stand, await childQuote(stand, {}, hirer), {}, hirer);
      const { transaction } = await fixture.submit(hirer, action);
      await fixture.chain.send(transaction!.to, transaction!.data);
      expect(await fixture.node(stand.task, 2)).toMatchObject({ state: NodeState.Funded, worker: subworker.address });
    }
  });

  it('takes the last unit that is not promised, and not one more', async () => {
    const stand = await fixture.funded(buyer, worker);
    const tooMuch = await childQuote(stand, { price: PRICE + 1n });
    expect(await codeOf(hire(stand, tooMuch))).toBe('insufficient_unallocated');
    await fixture.sendDirect(await hire(stand, await childQuote(stand, { nodeNumber: 3, price: PRICE })));
    const next = await childQuote(stand, { nodeNumber: 4, price: 1_000_000n });
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
    expect(await fixture.node(stand.task, 2)).toMatchObject({ state: NodeState.Funded, hirerFunded: true });
    expect(await fixture.node(stand.task, 1)).toMatchObject({ allocated: 0n });
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
    const other = await childQuote(stand, { hirerFunded: true, nodeNumber: 3 });
    await fixture.sendDirect(await hire(stand, other, { fundingMode: 'allowance' }));
    const states = await Promise.all([2, 3].map((number) => fixture.node(stand.task, number)));
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
    const quote = await childQuote(stand, { nodeNumber: 10 });
    const foreign = await fixture.person('foreign');
    expect(await codeOf(hire(stand, quote, {}, foreign))).toBe('not_found');
    expect(await codeOf(hire(stand, quote, {}, buyer))).toBe('not_node_worker');
    expect(await codeOf(hire(stand, { id: 'quote_unknown' }, {}, buyer))).toBe('not_node_worker');
    expect(await codeOf(hire(stand, { id: 'quote_unknown' }))).toBe('not_found');
    const unsigned = await childQuote(stand, { nodeNumber: 11, status: 'pending_signature' });
    expect(await codeOf(hire(stand, unsigned))).toBe('not_found');
    const elsewhere = await fixture.funded(buyer, worker);
    expect(await codeOf(hire(stand, await childQuote(elsewhere)))).toBe('not_found');
  });

  it.each([
    ['withdrawn', 20, 'state_conflict'],
    ['declined', 21, 'state_conflict'],
    ['accepted', 22, 'state_conflict'],
    ['expired', 23, 'quote_expired'],
  ] as const)('a quote that is %s', async (status, nodeNumber, code) => {
    const quote = await childQuote(stand, { nodeNumber, status });
    expect(await codeOf(hire(stand, quote))).toBe(code);
  });

  it('a quote for another node, another accept window, other terms', async () => {
    const other = await childQuote(stand, { nodeNumber: 40, parentNodeNumber: 7 });
    const quote = await childQuote(stand, { nodeNumber: 41 });
    const terms = await childQuote(stand, { nodeNumber: 42, termsHash: `0x${'01'.repeat(32)}` });
    expect(await codeOf(hire(stand, other))).toBe('state_conflict');
    expect(await codeOf(hire(stand, quote, { acceptWindowSeconds: WINDOW + 1 }))).toBe('terms_mismatch');
    expect(await codeOf(hire(stand, terms))).toBe('terms_mismatch');
  });

  it('a deadline after that of the node, by one second', async () => {
    const { deadline } = stand.quote;
    const late = await childQuote(stand, { nodeNumber: 50, deadline: new Date(deadline.getTime() + 1_000) });
    const last = await childQuote(stand, { nodeNumber: 51, deadline });
    expect(await codeOf(hire(stand, late))).toBe('nesting_violation');
    expect(await codeOf(hire(stand, last))).toBe('none');
  });

  it('a quote whose time is over, and a node whose time is over', async () => {
    const quote = await childQuote(stand, { nodeNumber: 60 });
    const long = await childQuote(stand, {
      nodeNumber: 61,
      validUntil: new Date(stand.quote.deadline.getTime() + DAY_MS),
    });
    fixture.app.clock.aheadMs = 2 * DAY_MS + 2_000;
    expect(await codeOf(hire(stand, quote))).toBe('quote_expired');
    fixture.app.clock.aheadMs = 8 * DAY_MS + 2_000;
    expect(await codeOf(hire(stand, long))).toBe('window_closed');
  });

  it('a quote that its worker has cancelled on the chain, whichever way it would be paid', async () => {
    const own = await childQuote(stand, { nodeNumber: 70 });
    const wallet = await childQuote(stand, { nodeNumber: 71, hirerFunded: true });
    const tree = { taskId: stand.task.id, escrow: stand.task.escrowAddress as any, buyer: buyer.key };
    for (const { nonce } of [own, wallet]) await fixture.chain.cancelNonce(tree, subworker.key, nonce);
    for (const quote of [own, wallet]) {
      expect(await failureOf(hire(stand, quote))).toMatchObject({
        code: 'state_conflict',
        reason: expect.stringContaining('withdrawn'),
      });
    }
  });

  it('a quote that somebody else has signed', async () => {
    const quote = await childQuote(stand, { nodeNumber: 80 });
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
    await fixture.chain.deliver(tree, 1, worker.key);
    expect(await codeOf(hire(given, quote))).toBe('node_not_funded');
    await fixture.dataSource.query(`UPDATE escrow_nodes SET state = 'delivered' WHERE id = $1`, [given.nodeId]);
    expect(await codeOf(hire(given, quote))).toBe('node_not_funded');
  });
});

describe('two callers at the same moment', () => {
  it('for the last money of a node: one is mined, the other is told that the money is promised', async () => {
    const stand = await fixture.funded(buyer, worker);
    const quotes = [
      await childQuote(stand, { price: 60_000_000n }),
      await childQuote(stand, { nodeNumber: 3, price: 60_000_000n }),
    ];
    const [first, second] = await Promise.all(quotes.map((quote) => hire(stand, quote)));
    await fixture.sendDirect(first!);
    await expect(fixture.sendDirect(second!)).rejects.toThrow('refused');
    expect(await codeOf(hire(stand, quotes[1]!))).toBe('insufficient_unallocated');
    expect(await fixture.node(stand.task, 1)).toMatchObject({ allocated: 60_000_000n });
  });

  it('for the same quote: each has a nonce of its own, one is mined, the other is told that it was taken', async () => {
    const stand = await fixture.funded(buyer, worker);
    const quote = await childQuote(stand);
    const [first, second] = await Promise.all([hire(stand, quote), hire(stand, quote)]);
    expect(first!.nonce).not.toBe(second!.nonce);
    await fixture.sendDirect(second!);
    await expect(fixture.sendDirect(first!)).rejects.toThrow('refused');
    expect(await failureOf(hire(stand, quote))).toMatchObject({
      code: 'state_conflict',
      reason: expect.stringContaining('taken up already'),
    });
  });
});

describe('the tree above', () => {
  it('is at most eight levels deep', async () => {
    const levels = await Promise.all(Array.from({ length: 9 }, (_, level) => fixture.person(`level ${level + 1}`)));
    const root = await fixture.funded(buyer, levels[0]!);
    let stand = root;
    for (let number = 2; number <= 9; number += 1) {
      const [hirer, hired] = [levels[number - 2]!, levels[number - 1]!];
      const { deadline } = root.quote;
      const own = { nodeNumber: number, parentNodeNumber: number - 1, price: CHILD_PRICE, deadline };
      const quote = await fixture.quote(root.task, hirer, hired, own);
      if (number === 9) {
        expect(await failureOf(hire(stand, quote, {}, hirer))).toMatchObject({
          code: 'nesting_violation',
          reason: expect.stringContaining('deepest level'),
        });
        return;
      }
      await fixture.sendDirect(await hire(stand, quote, {}, hirer));
      stand = { ...root, quote, nodeId: await fixture.indexed(root.task, quote, hirer) };
    }
  });

  it('may have ended with its children paid: a node below goes on hiring', async () => {
    const stand = await fixture.funded(buyer, worker);
    const quote = await childQuote(stand);
    await fixture.sendDirect(await hire(stand, quote));
    const child = { ...stand, nodeId: await fixture.indexed(stand.task, quote, worker) };
    const tree = { taskId: stand.task.id, escrow: stand.task.escrowAddress as any, buyer: buyer.key };
    await fixture.chain.agree(tree, { nodeId: 1, amount: PRICE } as any, CHILD_PRICE, worker.key);
    const third = await fixture.person('third');
    const own = { nodeNumber: 3, parentNodeNumber: 2, price: 1_000_000n, deadline: quote.deadline };
    const below = await fixture.quote(stand.task, subworker, third, own);
    await fixture.sendDirect(await hire(child, below, {}, subworker));
    expect(await fixture.node(stand.task, 3)).toMatchObject({ state: NodeState.Funded, worker: third.address });
  });
});
