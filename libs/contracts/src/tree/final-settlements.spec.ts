import { NodeState, Outcome } from './node-states.js';
import { finalSettlements } from './final-settlements.js';
import type { FactRef, TreeNode, TreeSettlement } from './tree-projection.types.js';

const at = (blockNumber: number): FactRef => ({ transactionHash: '0x01', blockNumber, logIndex: 0, at: blockNumber });

const node = (number: number, parentNumber: number, state: NodeState, settledAt: FactRef | null, hirerFunded = false) =>
  ({ number, parentNumber, state, settledAt, hirerFunded }) as TreeNode;

const settlement = (nodeNumber: number, kind: TreeSettlement['kind'], settled: FactRef) =>
  ({ nodeNumber, kind, settled, outcome: Outcome.Accepted }) as TreeSettlement;

const endsOf = (nodes: TreeNode[], ...settlements: TreeSettlement[]) =>
  finalSettlements({ nodes, settlements }).map(({ nodeNumber, final }) => [nodeNumber, final.blockNumber]);

describe('final settlements', () => {
  it('a root node and a hirer-funded child are final when they settle', () => {
    const nodes = [node(1, 0, NodeState.Funded, null, true), node(2, 1, NodeState.Settled, at(5), true)];
    expect(endsOf(nodes, settlement(2, 'released', at(5)))).toEqual([[2, 5]]);
  });

  it('a contingent child waits for every node its money is made of', () => {
    const child = node(3, 2, NodeState.Settled, at(5));
    const settled = settlement(3, 'released', at(5));
    const middle = node(2, 1, NodeState.Settled, at(7));
    expect(endsOf([node(1, 0, NodeState.Delivered, null, true), middle, child], settled)).toEqual([]);
    expect(endsOf([node(1, 0, NodeState.Settled, at(6), true), middle, child], settled)).toEqual([[3, 7]]);
  });

  it.each([NodeState.Refunded, NodeState.Abandoned])(
    'a puppet below a node that ends in state %s earns nothing',
    (end) => {
      const nodes = [node(1, 0, end, at(9), true), node(2, 1, NodeState.Settled, at(5))];
      expect(endsOf(nodes, settlement(2, 'released', at(5)), settlement(1, 'refunded', at(9)))).toEqual([[1, 9]]);
    },
  );

  it('a refund is final at once', () => {
    const nodes = [node(1, 0, NodeState.Funded, null, true), node(2, 1, NodeState.Refunded, at(4))];
    expect(endsOf(nodes, settlement(2, 'refunded', at(4)))).toEqual([[2, 4]]);
  });
});
