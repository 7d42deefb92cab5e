import { childPath } from '#libs/kernel';
import { NodeState, Outcome } from './node-states.js';
import { finalSettlements } from './final-settlements.js';
import type { FactRef, TreeNode, TreeSettlement } from './tree-projection.types.js';

const at = (blockNumber: number): FactRef => ({ transactionHash: '0x01', blockNumber, logIndex: 0, at: blockNumber });

const ROOT = 1n;
const CHILD = childPath(ROOT, 7);
const GRANDCHILD = childPath(CHILD, 1);

const node = (path: bigint, state: NodeState, settledAt: FactRef | null, hirerFunded = false) =>
  ({ path, state, settledAt, hirerFunded }) as TreeNode;

const settlement = (nodePath: bigint, kind: TreeSettlement['kind'], settled: FactRef) =>
  ({ nodePath, kind, settled, outcome: Outcome.Accepted }) as TreeSettlement;

const endsOf = (nodes: TreeNode[], ...settlements: TreeSettlement[]) =>
  finalSettlements({ nodes, settlements }).map(({ nodePath, final }) => [nodePath, final.blockNumber]);

describe('final settlements', () => {
  it('a root node and a hirer-funded child are final when they settle', () => {
    const nodes = [node(ROOT, NodeState.Funded, null, true), node(CHILD, NodeState.Settled, at(5), true)];
    expect(endsOf(nodes, settlement(CHILD, 'released', at(5)))).toEqual([[CHILD, 5]]);
  });

  it('a contingent child waits for every node its money is made of', () => {
    const child = node(GRANDCHILD, NodeState.Settled, at(5));
    const settled = settlement(GRANDCHILD, 'released', at(5));
    const middle = node(CHILD, NodeState.Settled, at(7));
    expect(endsOf([node(ROOT, NodeState.Delivered, null, true), middle, child], settled)).toEqual([]);
    expect(endsOf([node(ROOT, NodeState.Settled, at(6), true), middle, child], settled)).toEqual([[GRANDCHILD, 7]]);
  });

  it.each([NodeState.Refunded, NodeState.Abandoned])(
    'a puppet below a node that ends in state %s earns nothing',
    (end) => {
      const nodes = [node(ROOT, end, at(9), true), node(CHILD, NodeState.Settled, at(5))];
      expect(endsOf(nodes, settlement(CHILD, 'released', at(5)), settlement(ROOT, 'refunded', at(9)))).toEqual([
        [ROOT, 9],
      ]);
    },
  );

  it('a refund is final at once', () => {
    const nodes = [node(ROOT, NodeState.Funded, null, true), node(CHILD, NodeState.Refunded, at(4))];
    expect(endsOf(nodes, settlement(CHILD, 'refunded', at(4)))).toEqual([[CHILD, 4]]);
  });
});
