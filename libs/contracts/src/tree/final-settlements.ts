import { NodeState } from './node-states.js';
import { backersAmong } from './node-clock.js';
import type { FactRef, TreeNode, TreeProjection, TreeSettlement } from './tree-projection.types.js';

/** An end of a node that no later event above it can take back. */
export interface FinalSettlement extends TreeSettlement {
  /** The newest of the facts it rests on: its own settlement, or that of the last of its backers. */
  readonly final: FactRef;
}

/**
 * The settlements that are final. A refund is so at once. What a contingent child was released is money only when every
 * node it is made of has settled too (docs/decisions/escrow.md#money-of-nested-nodes): until then it is no settlement,
 * and if a backer is refunded it never becomes one. Otherwise a worker could accept a puppet's work below a node it
 * then fails, and the puppet would have a record of money that nobody was ever paid.
 */
export function finalSettlements({
  nodes,
  settlements,
}: Pick<TreeProjection, 'nodes' | 'settlements'>): FinalSettlement[] {
  const byNumber = new Map(nodes.map((node) => [node.number, node]));
  const find = (number: number): TreeNode | undefined => byNumber.get(number);
  return settlements.flatMap((settlement) => {
    if (settlement.kind === 'refunded') return [{ ...settlement, final: settlement.settled }];
    const node = find(settlement.nodeNumber);
    if (!node) throw new RangeError(`There is no node ${settlement.nodeNumber}`);
    let final = settlement.settled;
    for (const backer of backersAmong(find, node)) {
      if (backer.state !== NodeState.Settled || !backer.settledAt) return [];
      if (isLater(backer.settledAt, final)) final = backer.settledAt;
    }
    return [{ ...settlement, final }];
  });
}

function isLater(a: FactRef, b: FactRef): boolean {
  return a.blockNumber > b.blockNumber || (a.blockNumber === b.blockNumber && a.logIndex > b.logIndex);
}
