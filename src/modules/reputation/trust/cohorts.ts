import { COHORT_COUNTS } from '../score/reputation-constants.js';
import type { MoneyGraph } from './money-graph.js';

/** A verified buyer to be assigned to a cohort. */
export interface AnchorCandidate {
  principal: number;
  /** A keyed hash of the buyer's account, so that no outsider can choose a cohort. */
  key: string;
}

/** A principal from which trust starts, and its cohort. */
export interface Anchor {
  principal: number;
  cohort: number;
}

/**
 * Assigns verified buyers to 5 cohorts, or 3, or 1, the most that can all be filled, in turn by the order of their
 * keys. A principal counts once, however many of its accounts are verified. A principal without net money is left out,
 * because its cohort could be empty. rule: docs/decisions/ranking.md#independence
 */
export function dealCohorts(graph: MoneyGraph, candidates: readonly AnchorCandidate[]): Anchor[] {
  const keys = new Map<number, string>();
  for (const { principal, key } of candidates) {
    if ((graph.degrees[principal] ?? 0) === 0) continue;
    const known = keys.get(principal);
    if (known === undefined || key < known) keys.set(principal, key);
  }
  const count = COHORT_COUNTS.find((cohorts) => cohorts <= keys.size) ?? 1;
  return [...keys]
    .sort(([a, keyA], [b, keyB]) => (keyA === keyB ? a - b : keyA < keyB ? -1 : 1))
    .map(([principal], index) => ({ principal, cohort: index % count }));
}
