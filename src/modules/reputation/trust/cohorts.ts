import { COHORT_COUNTS } from '../score/reputation-constants.js';
import type { MoneyGraph } from './money-graph.js';

/** A verified buyer on its way into a cohort. */
export interface AnchorCandidate {
  principal: number;
  /** A keyed hash of who it is, so that nobody outside can choose a cohort. */
  key: string;
}

/** A principal that trust starts from, in one cohort. */
export interface Anchor {
  principal: number;
  cohort: number;
}

/**
 * Deals verified buyers into 5 cohorts, or 3, or 1: as many as there are anchors to fill, in turn, in order of their
 * keys. A principal has one place, however many of its accounts are verified; one without net money has none, as it
 * would make an empty cohort. rule: docs/decisions/ranking.md#independence
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
