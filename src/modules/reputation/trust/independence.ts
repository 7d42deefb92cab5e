import type { Anchor } from './cohorts.js';
import type { MoneyGraph } from './money-graph.js';
import { type Trust, walksOf } from './trust-walk.js';

/**
 * Independence of every principal, in [0, 1]: the median over the cohorts of min(1, tau / reference), so that an
 * attacker needs anchors in most cohorts. Exactly 0 for a principal that no payments connect to the anchors of most
 * cohorts, and for all principals when there is no anchor. rule: docs/decisions/ranking.md#independence
 *
 * Pure and synchronous: at ten million settlements it takes seconds, so run it in a worker thread.
 */
export function independenceOf(graph: MoneyGraph, anchors: readonly Anchor[]): Float64Array {
  return medianIndependence(walksOf(graph, anchors), graph.principals);
}

/** The median of the cohorts' values for each principal; for an even number of cohorts the lower middle one. */
export function medianIndependence(cohorts: readonly Trust[], principals: number): Float64Array {
  const independence = new Float64Array(principals);
  const said = new Float64Array(cohorts.length);
  const middle = (cohorts.length - 1) >> 1;
  for (let i = 0; i < principals && cohorts.length > 0; i += 1) {
    for (let cohort = 0; cohort < cohorts.length; cohort += 1) {
      const trust = cohorts[cohort];
      said[cohort] = trust && trust.reference > 0 ? Math.min(1, (trust.tau[i] ?? 0) / trust.reference) : 0;
    }
    independence[i] = said.sort()[middle] ?? 0;
  }
  return independence;
}
