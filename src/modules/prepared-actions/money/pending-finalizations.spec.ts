import { NodeState, type StoredNode } from '#libs/contracts';
import { PendingFinalizations, unwrittenDetails, unwrittenOf } from './pending-finalizations.js';

const CLOCK = 1_795_000_000;
const ESCROW = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** The nodes of a tree by their numbers, as the chain has them. */
function ends(nodes: Record<number, Partial<StoredNode>>, now = CLOCK + 1) {
  const asked: number[] = [];
  const nodeAt = async (_escrow: string, number: number) => {
    asked.push(number);
    const node = nodes[number];
    return node === undefined ? null : { state: NodeState.Rejected, clock: CLOCK, amount: 10n, allocated: 0n, ...node };
  };
  const dependencies = [{ nodeAt }, { nowSeconds: () => now }] as unknown as ConstructorParameters<
    typeof PendingFinalizations
  >;
  return { ends: new PendingFinalizations(...dependencies), asked };
}

describe('the money of nodes that nobody has finalized', () => {
  it.each([
    ['a rejection that nobody contested gives all back', {}, 10n],
    ['a ruling that never came gives half back, the odd unit too', { state: NodeState.Disputed, amount: 11n }, 6n],
    ['but never what is promised below', { state: NodeState.Disputed, allocated: 7n }, 3n],
    ['and nothing when all is promised', { state: NodeState.Disputed, allocated: 10n }, 0n],
    ['a delivery that nobody answered gives nothing back', { state: NodeState.Delivered }, 0n],
    ['work that was not delivered needs a claim', { state: NodeState.Funded }, 0n],
    ['a node that was finalized does not count again', { state: NodeState.Refunded }, 0n],
    ['nor does a node that was divided', { state: NodeState.Settled }, 0n],
    ['in its last second a right may still be used', { clock: CLOCK + 1 }, 0n],
  ])('%s', async (_rule, node, amount) => {
    const numbers = amount === 0n ? [] : [2];
    expect(await ends({ 2: node }).ends.returnsOf(ESCROW, [2])).toEqual({ numbers, amount });
  });

  it('is added up over those of the nodes that give something, in their order', async () => {
    const nodes = { 2: {}, 3: { state: NodeState.Settled }, 5: { amount: 4n } };
    expect(await ends(nodes).ends.returnsOf(ESCROW, [5, 3, 9, 2])).toEqual({ numbers: [5, 2], amount: 14n });
  });

  it('is asked for and finalized for at most 20 nodes at once', async () => {
    const all = Array.from({ length: 30 }, (_, index) => index + 1);
    const { ends: some, asked } = ends(Object.fromEntries(all.map((number) => [number, {}])));
    expect(await some.returnsOf(ESCROW, all)).toEqual({ numbers: all.slice(0, 20), amount: 200n });
    expect(asked).toEqual(all.slice(0, 20));
  });

  it('still needs finalizing where a rejection or a dispute has lapsed, whatever the node gives back', async () => {
    const nodes = {
      1: { state: NodeState.Disputed, allocated: 10n },
      2: {},
      3: { state: NodeState.Refunded },
      4: { clock: CLOCK + 1 },
      5: { state: NodeState.Delivered },
    };
    expect(await ends(nodes).ends.stillUnwritten(ESCROW, [1, 2, 3, 4, 5, 6])).toEqual([1, 2]);
    expect(await ends(nodes).ends.stillUnwritten(ESCROW, [])).toEqual([]);
  });

  it('is finalized for the nodes that the details of an action name, which may be none', () => {
    expect(unwrittenOf(unwrittenDetails([1, 12, 3]))).toEqual([1, 12, 3]);
    expect(unwrittenOf(unwrittenDetails([]))).toEqual([]);
    expect(unwrittenOf({})).toEqual([]);
  });
});
