import { byChainOrder } from './chain-order.js';
import { InconsistentFactsError, TreeFold } from './tree-fold.js';
import type { ChainedFact, TreeProjection } from './tree-projection.types.js';
import type { TreeStep } from './tree-step.types.js';

/**
 * Folds the facts of one tree, given in chain order from its first one, into its projection. Pure: the same facts
 * always give the same projection, and each fact counts once. Throws InconsistentFactsError when they cannot be the
 * complete history of a tree of the pinned contract.
 */
export function projectTree(facts: readonly ChainedFact[]): TreeProjection {
  return followTree(facts, () => false).projection;
}

/** As `projectTree`; also what each of the facts for which `isFollowed` holds has changed, in chain order. */
export function followTree(
  facts: readonly ChainedFact[],
  isFollowed: (fact: ChainedFact) => boolean,
): { projection: TreeProjection; steps: TreeStep[] } {
  const tree = new TreeFold();
  const steps: TreeStep[] = [];
  let last: ChainedFact | undefined;
  for (const chained of facts) {
    if (last !== undefined && byChainOrder(chained, last) <= 0)
      throw new InconsistentFactsError('The facts are not in order');
    if (isFollowed(chained)) steps.push(tree.step(chained));
    else tree.apply(chained);
    last = chained;
  }
  return { projection: tree.projection(), steps };
}
