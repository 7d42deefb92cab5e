import { byChainOrder } from './chain-order.js';
import { NodeState } from './node-states.js';
import { backersAmong } from './node-clock.js';
import type { FactRef, TreeNode, TreeProjection, TreeSettlement } from './tree-projection.types.js';

/** An end of a node that no later event above it can take back. */
export interface FinalSettlement extends TreeSettlement {
  /** The fact that made the settlement final: its own, or the latest settlement among its backers. */
  readonly final: FactRef;
}

/**
 * The settlements that are final. A refund is final at once. A release of a contingent child is final only when every
 * node that backs it has settled too (docs/decisions/escrow.md#money-of-nested-nodes); if a backer is refunded, it
 * never is. Otherwise a worker could accept a puppet's work below a node that the worker then fails, and the puppet
 * would have a record of money that nobody was paid. Throws RangeError when `nodes` lacks a node of a settlement or one
 * of its backers.
 */
export function finalSettlements({
  nodes,
  settlements,
}: Pick<TreeProjection, 'nodes' | 'settlements'>): FinalSettlement[] {
  const byPath = new Map(nodes.map((node) => [node.path, node]));
  const find = (path: bigint): TreeNode | undefined => byPath.get(path);
  return settlements.flatMap((settlement) => {
    if (settlement.kind === 'refunded') return [{ ...settlement, final: settlement.settled }];
    const node = find(settlement.nodePath);
    if (!node) throw new RangeError(`There is no node ${settlement.nodePath}`);
    let final = settlement.settled;
    for (const backer of backersAmong(find, node)) {
      if (backer.state !== NodeState.Settled || !backer.settledAt) return [];
      if (byChainOrder(backer.settledAt, final) > 0) final = backer.settledAt;
    }
    return [{ ...settlement, final }];
  });
}
