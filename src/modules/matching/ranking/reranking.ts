import { DISCOVERY_PLACE } from '../relevance/matching-constants.js';
import { Newcomers } from './diversity/exploration.js';
import { NONE, ownerNumbersOf } from './diversity/owner-buckets.js';
import type { Placeable } from './diversity/placeable.js';
import { OwnerDiversity } from './diversity/owner-diversity.js';

/** An agent on a place. `isDiscovery` is true for a discovery place, which it gets for having no record. */
export interface Placement<A> {
  agent: A;
  isDiscovery: boolean;
}

/**
 * Places agents in windows of ten, from their order by score. In each window at most 2 agents belong to one owner
 * cluster while others are left, and place 6 goes to an agent without a record that would not be in the window: the
 * least shown of those relevant enough. An agent that makes room comes first in the next window.
 * rule: docs/decisions/ranking.md#discovery-and-variety
 *
 * Takes n log n steps for n agents, whoever owns them. Each window is computed on demand.
 * @param ordered agents in a total order, best first.
 */
export function* placements<A extends Placeable>(ordered: readonly A[]): Generator<Placement<A>, void> {
  const owners = ownerNumbersOf(ordered);
  const ownerCount = owners.reduce((count, owner) => Math.max(count, owner + 1), 0);
  const tens = new OwnerDiversity(owners, ownerCount);
  const newcomers = new Newcomers(ordered, owners, ownerCount);
  for (let placed = 0; placed < ordered.length;) {
    const ten = tens.next();
    placed += ten.length;
    const isLast = placed === ordered.length;
    const found = isLast ? NONE : newcomers.insteadOfLast(ten);
    const before = DISCOVERY_PLACE - 1;
    const places = found === NONE ? ten : [...ten.slice(0, before), found, ...ten.slice(before, -1)];
    for (const index of places) {
      tens.leave(index);
      const agent = ordered[index];
      if (agent !== undefined) yield { agent, isDiscovery: index === found };
    }
  }
}
