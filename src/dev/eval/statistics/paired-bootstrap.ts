import { quantileOf } from './quantiles.js';
import type { Seeded } from './seeded.js';

/** How much better one method is than another on the same tests. */
export interface PairedDifference {
  /** Mean of the differences; `low` and `high` are its 95 % interval. */
  mean: number;
  low: number;
  high: number;
  /** Share of the draws in which the first method was not better. */
  notAhead: number;
}

/** Bootstrap over the tests, drawn with replacement; each draw keeps a test's two figures together. */
export function pairedDifference(
  first: readonly number[],
  second: readonly number[],
  draws: number,
  chance: Seeded,
): PairedDifference {
  const differences = first.map((value, test) => value - (second[test] ?? Number.NaN));
  const means = Array.from({ length: draws }, () => meanOf(differences.map(() => chance.pick(differences))));
  return {
    mean: meanOf(differences),
    low: quantileOf(means, 0.025),
    high: quantileOf(means, 0.975),
    notAhead: means.filter((mean) => mean <= 0).length / draws,
  };
}

/** NaN without values. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
