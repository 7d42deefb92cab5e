import { ApiError } from '../../../platform/http/api-error.js';
import { NodeState, type StoredNode } from '#libs/contracts';
import { PendingFinalizations, unwrittenDetails, unwrittenOf } from './pending-finalizations.js';

const CLOCK = 1_795_000_000;
const ESCROW = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** The nodes of a tree by their paths, as the chain has them. */
function ends(nodes: Record<string, Partial<StoredNode>>, now = CLOCK + 1) {
  const asked: bigint[] = [];
  const nodeAt = async (_escrow: string, path: bigint) => {
    asked.push(path);
    const node = nodes[path.toString()];
    return node === undefined ? null : { state: NodeState.Rejected, clock: CLOCK, amount: 10n, floor: 4n, ...node };
  };
  const dependencies = [{ nodeAt }, { nowSeconds: () => now }, {}] as unknown as ConstructorParameters<
    typeof PendingFinalizations
  >;
  return { ends: new PendingFinalizations(...dependencies), asked };
}

describe('the money of nodes that nobody has finalized', () => {
  it.each([
    ['a rejection that nobody contested gives all back', {}, 10n],
    ['a ruling that never came gives back what is above the floor', { state: NodeState.Disputed }, 6n],
    ['all of it where the floor is nothing', { state: NodeState.Disputed, floor: 0n }, 10n],
    ['and nothing where the floor is the price', { state: NodeState.Disputed, floor: 10n }, 0n],
    ['a delivery that nobody answered gives nothing back', { state: NodeState.Delivered }, 0n],
    ['work that was not delivered needs a claim', { state: NodeState.Funded }, 0n],
    ['a node that was finalized does not count again', { state: NodeState.Refunded }, 0n],
    ['nor does a node that was divided', { state: NodeState.Settled }, 0n],
    ['in its last second a right may still be used', { clock: CLOCK + 1 }, 0n],
  ])('%s', async (_rule, node, amount) => {
    const paths = amount === 0n ? [] : [2n];
    expect(await ends({ 2: node }).ends.returnsOf(ESCROW, [2n])).toEqual({ paths, amount, left: 0n });
  });

  it('is added up over those of the nodes that give something, in their order', async () => {
    const nodes = { 2: {}, 3: { state: NodeState.Settled }, 5: { amount: 4n } };
    expect(await ends(nodes).ends.returnsOf(ESCROW, [5n, 3n, 9n, 2n])).toEqual({
      paths: [5n, 2n],
      amount: 14n,
      left: 0n,
    });
  });

  it('is finalized for at most 20 nodes at once, and the rest is left', async () => {
    const all = Array.from({ length: 30 }, (_, index) => BigInt(index + 1));
    const { ends: some, asked } = ends(Object.fromEntries(all.map((path) => [path, {}])));
    expect(await some.returnsOf(ESCROW, all)).toEqual({ paths: all.slice(0, 20), amount: 200n, left: 100n });
    expect(asked).toEqual(all);
    expect(await some.returnsOf(ESCROW, all, 200n)).toEqual({ paths: all.slice(0, 20), amount: 200n, left: 0n });
  });

  it('is found behind however many nodes give nothing back, up to 200', async () => {
    const all = Array.from({ length: 250 }, (_, index) => BigInt(index + 1));
    const nodes = Object.fromEntries(all.map((path) => [path, path < 150n ? { state: NodeState.Refunded } : {}]));
    const { ends: some, asked } = ends(nodes);
    const found = await some.returnsOf(ESCROW, all);
    expect(found).toEqual({ paths: all.slice(149, 169), amount: 200n, left: 310n });
    expect(asked).toEqual(all.slice(0, 200));
  });

  it('is finalized for no more nodes than are needed', async () => {
    const nodes = { 2: {}, 3: { state: NodeState.Settled }, 5: { amount: 4n }, 7: {} };
    const returnsOf = (needed: bigint) => ends(nodes).ends.returnsOf(ESCROW, [2n, 3n, 5n, 7n], needed);
    expect(await returnsOf(10n)).toEqual({ paths: [2n], amount: 10n, left: 0n });
    expect(await returnsOf(11n)).toEqual({ paths: [2n, 5n], amount: 14n, left: 0n });
    expect(await returnsOf(99n)).toEqual({ paths: [2n, 5n, 7n], amount: 24n, left: 0n });
  });

  it.each([
    ['goes through', { failure: null, skipped: [] }, 'taken'],
    ['finds a node finalized already', { failure: null, skipped: [{ index: 0, revert: null }] }, 'taken'],
    ['leaves the call out', { failure: null, skipped: [{ index: 1, revert: null }] }, 'refused'],
    ['fails as a whole', { failure: { revert: null }, skipped: [] }, 'refused'],
  ])('is tried together with the call: where the batch %s', async (_what, simulation, expected) => {
    const dependencies = [{}, {}, { run: async () => simulation }] as unknown as ConstructorParameters<
      typeof PendingFinalizations
    >;
    const tried = new PendingFinalizations(...dependencies).tryOut(ESCROW, [2n], { to: ESCROW, data: '0x' } as never);
    await expect(
      tried.then(
        () => 'taken',
        (error: unknown) => (error instanceof ApiError ? 'refused' : error),
      ),
    ).resolves.toBe(expected);
  });

  it('is finalized for the nodes that the details of an action name, which may be none', () => {
    const paths = [1n, (12n << 24n) | 2n, 3n];
    expect(unwrittenDetails(paths)).toEqual({ unwritten_nodes: '1 12-2 3' });
    expect(unwrittenOf(unwrittenDetails(paths))).toEqual(paths);
    expect(unwrittenOf(unwrittenDetails([]))).toEqual([]);
    expect(unwrittenOf({})).toEqual([]);
  });
});
