import { definedMembers } from '../chain-reading/chain-reading-json.js';
import { NODE_STATES, ruleOf } from '../typed-data/action-kinds.js';
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
  const known = {
    ...facts,
    arbiter: tree?.arbiter,
    ...(tree && { hasArbiter: !sameAddress(tree.arbiter, ZERO_ADDRESS) }),
    ...(node != null && definedMembers(factsOf(kind, node))),
  };
  // Whether the jobs above are settled is the service's word, and no word that they are is believed where there are some.
  if (node?.hirerFunded === false && known.hangsOnParent === false) delete known.hangsOnParent;
  return known;
}

function factsOf(kind: string, node: NodeReading) {
  const { state, floor, revisions, maxRevisions, amount, allocated, returned = 0n, deliverBy, hirerFunded } = node;
  const money = {
    nodeAmount: `${amount}`,
    unallocated: allocated === undefined ? undefined : `${amount - allocated + returned}`,
  };
  // Where somebody is hired, the node is the one above, if there is one at all.
  if (ruleOf(kind)?.nonce !== 'node') return kind === 'subcontract' ? money : {};
  return {
    ...money,
    nodeState: NODE_STATES[state],
    floor: floor?.toString(),
    deliverBy,
    revisionsLeft: revisions === undefined || maxRevisions === undefined ? undefined : maxRevisions - revisions,
    hangsOnParent: hirerFunded === true ? false : undefined,
  };
}
