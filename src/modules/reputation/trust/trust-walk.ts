import { REFERENCE_QUANTILE, WALK_DAMPING, WALK_SWEEPS } from '../score/reputation-constants.js';
import type { Anchor } from './cohorts.js';
import type { MoneyGraph } from './money-graph.js';

/** Trust of all principals from one cohort of anchors. */
export interface Trust {
  /** Trust per unit of money (tau) of each principal; exactly 0 when no path connects it to an anchor. */
  tau: Float64Array;
  /** The tau of a typical principal; 0 when nobody has trust. */
  reference: number;
}

/**
 * Number of lanes, one per cohort. All cohorts are computed together, because most of the time is spent on loading a
 * neighbour from memory, and one load serves all lanes.
 */
const COHORTS = 5;

/**
 * Computes for each cohort the random walk with restart at its anchors (personalised PageRank, restarts in proportion
 * to the anchors' money), divided by each principal's money: tau = (1 - d)·s/deg + d·D⁻¹W·tau. Returned in the order of
 * the cohorts. rule: docs/decisions/ranking.md#independence
 *
 * As s_i ~ deg_i, the first part is one constant for every anchor, and tau is at most 1. Sweeps start at zero, so tau
 * only grows towards its limit. This keeps the bound (docs/decisions/ranking.md#bound-on-attacks) true after any number
 * of sweeps, and a principal without a path to an anchor stays exactly 0. The result, about 0.01 % below the limit,
 * depends on the order of the principals: number them by name (`IdInterner.sorted`) to get the same figures from the
 * same facts.
 * @throws RangeError when an anchor is an unknown principal or in a cohort beyond the fifth.
 */
export function walksOf(graph: MoneyGraph, anchors: readonly Anchor[]): Trust[] {
  const { principals, degrees } = graph;
  /** For each principal the cohort of which it is an anchor, plus one; 0 for none. */
  const restartsIn = new Uint8Array(principals);
  let cohorts = 0;
  for (const { principal, cohort } of anchors) {
    if (principal >= principals || cohort >= COHORTS) throw new RangeError('An anchor is out of range');
    restartsIn[principal] = cohort + 1;
    cohorts = Math.max(cohorts, cohort + 1);
  }
  if (cohorts === 0) return [];
  const lanes = new Float32Array(principals * COHORTS);
  for (let count = 0; count < WALK_SWEEPS; count += 1) sweep(graph, restartsIn, lanes);
  return Array.from({ length: cohorts }, (_, cohort) => {
    const tau = new Float64Array(principals);
    for (let i = 0; i < principals; i += 1) tau[i] = lanes[i * COHORTS + cohort] ?? 0;
    return { tau, reference: referenceOf(tau, degrees) };
  });
}

/**
 * One sweep over all lanes, in place (Gauss-Seidel): a neighbour's new value is used in the same sweep, so half as many
 * sweeps are needed. The lanes are written out, because an inner loop takes several times as long.
 */
function sweep(
  { principals, offsets, neighbours, weights, degrees }: MoneyGraph,
  restartsIn: Uint8Array,
  tau: Float32Array,
): void {
  let edge = 0;
  for (let i = 0; i < principals; i += 1) {
    const end = offsets[i + 1] ?? 0;
    if (edge === end) continue;
    let [a, b, c, d, e] = [0, 0, 0, 0, 0];
    for (; edge < end; edge += 1) {
      const weight = weights[edge] ?? 0;
      const place = (neighbours[edge] ?? 0) * COHORTS;
      a += weight * (tau[place] ?? 0);
      b += weight * (tau[place + 1] ?? 0);
      c += weight * (tau[place + 2] ?? 0);
      d += weight * (tau[place + 3] ?? 0);
      e += weight * (tau[place + 4] ?? 0);
    }
    const own = i * COHORTS;
    const passed = WALK_DAMPING / (degrees[i] ?? 1);
    tau[own] = passed * a;
    tau[own + 1] = passed * b;
    tau[own + 2] = passed * c;
    tau[own + 3] = passed * d;
    tau[own + 4] = passed * e;
    const cohort = (restartsIn[i] ?? 0) - 1;
    if (cohort >= 0) tau[own + cohort] = (tau[own + cohort] ?? 0) + (1 - WALK_DAMPING);
  }
}

/**
 * The quantile of tau weighted by tau·deg, the mass of trust, so that principals without trust cannot move it, however
 * many they are. Found by quickselect, in about 3 n steps for n principals.
 */
function referenceOf(tau: Float64Array, degrees: Float64Array): number {
  const held = { values: new Float64Array(tau.length), masses: new Float64Array(tau.length) };
  let [from, to, total] = [0, 0, 0];
  for (let i = 0; i < tau.length; i += 1) {
    const value = tau[i] ?? 0;
    if (value === 0) continue;
    held.values[to] = value;
    held.masses[to] = value * (degrees[i] ?? 0);
    total += held.masses[to] ?? 0;
    to += 1;
  }
  let goal = REFERENCE_QUANTILE * total;
  let reference = 0;
  while (from < to) {
    reference = middleOf(held.values, from, to);
    const { low, high, below, equal } = part(held, reference, from, to);
    if (goal <= below) to = low;
    else if (goal <= below + equal) break;
    else [from, goal] = [high, goal - below - equal];
  }
  return reference;
}

/** Median of three values of a range, as a pivot that suits any order of the principals. */
function middleOf(values: Float64Array, from: number, to: number): number {
  const [first, middle, last] = [values[from] ?? 0, values[(from + to) >>> 1] ?? 0, values[to - 1] ?? 0];
  return Math.max(Math.min(first, middle), Math.min(Math.max(first, middle), last));
}

/** Values and their weights. */
interface Held {
  values: Float64Array;
  masses: Float64Array;
}

/**
 * Partitions a range around a pivot: lower values first, greater ones last. Returns the end of the lower and the start
 * of the greater values, and the mass of the lower and of the equal values.
 */
function part({ values, masses }: Held, pivot: number, from: number, to: number) {
  let [low, at, high, below, equal] = [from, from, to, 0, 0];
  while (at < high) {
    const [value, mass] = [values[at] ?? 0, masses[at] ?? 0];
    if (value === pivot) {
      equal += mass;
      at += 1;
      continue;
    }
    const isLower = value < pivot;
    if (!isLower) high -= 1;
    const place = isLower ? low : high;
    values[at] = values[place] ?? 0;
    masses[at] = masses[place] ?? 0;
    values[place] = value;
    masses[place] = mass;
    if (!isLower) continue;
    below += mass;
    low += 1;
    at += 1;
  }
  return { low, high, below, equal };
}
