import { definedMembers } from '../chain-reading/chain-reading-json.js';
import { ruleOf } from '../typed-data/action-kinds.js';
import { sameAddress, ZERO_ADDRESS } from '../document/evm-address.js';
import type { DescriptionFacts, NodeReading, TreeParties } from '../document/prepared-action.js';

/**
 * The service's facts, with those in their place that the reader has from elsewhere, so that a service that lies about
 * them cannot make the worst case look better.
 * @param tree the parties that the escrow's address follows from; null: not known.
 * @param node the action's node, as the wallet's own node reports it; absent: it did not.
 */
export function confirmedFacts(
  kind: string,
  facts: DescriptionFacts,
  tree: TreeParties | null,
  node: NodeReading | null | undefined,
): DescriptionFacts {
  // Where somebody is hired, the node is the one above, if there is one at all.
  const { floor, revisions, maxRevisions } = ruleOf(kind)?.nonce === 'node' ? (node ?? {}) : {};
  return {
    ...facts,
    ...definedMembers({
      hasArbiter: tree === null ? undefined : !sameAddress(tree.arbiter, ZERO_ADDRESS),
      floor: floor?.toString(),
      revisionsLeft: revisions === undefined || maxRevisions === undefined ? undefined : maxRevisions - revisions,
    }),
  };
}
