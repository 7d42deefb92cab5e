/** Every number of the reputation formulas, frozen in one place (docs/decisions/ranking.md#frozen-constants). */

/**
 * Mean of the prior; below it, registering anew would pay. Unit: share of success.
 * source: docs/decisions/ranking.md#score
 */
export const PRIOR_MEAN = 0.8;

/** Weight of the prior, in settlements. source: docs/decisions/ranking.md#score */
export const PRIOR_STRENGTH = 1;

/** Half-life of the evidence behind `career`, in days. source: docs/decisions/ranking.md#score */
export const CAREER_HALF_LIFE_DAYS = 365;

/** Half-life of the evidence behind `recent`, in days. source: docs/decisions/ranking.md#score */
export const RECENT_HALF_LIFE_DAYS = 60;

/** Shares of `career` and `recent` in the score; their sum is 1. source: docs/decisions/ranking.md#score */
export const CAREER_SHARE = 0.4;
export const RECENT_SHARE = 0.6;

/**
 * Where forward-decayed sums start: evidence at time t is kept multiplied by 2^((t - start) / half-life), so that the
 * passing of time changes no sum. Any instant will do; a later change would invalidate what is stored. Unit:
 * milliseconds since 1970. source: docs/decisions/ranking.md#score
 */
export const EVIDENCE_EPOCH_MS = Date.UTC(2026, 0, 1);

/**
 * Days within which further work for one buyer counts half as much each time. source: docs/decisions/ranking.md#score
 * (policy)
 */
export const REPEAT_WINDOW_DAYS = 30;

/**
 * Work within that time which counts at all: the weight of any more is below 2^-63. It bounds how many settlements one
 * that comes or goes can concern. Unit: settlements.
 */
export const REPEATS_COUNTED = 64;

/**
 * Weight of an abandonment, which is said in time, against any other failure. source: docs/decisions/ranking.md#score
 * (policy)
 */
export const ABANDONMENT_WEIGHT = 0.5;

/** Least weight of bad news, from a buyer nobody can vouch for. source: docs/decisions/ranking.md#score */
export const NEGATIVE_FLOOR = 0.5;

/**
 * Independence of every buyer while no verified buyers are named: nothing then protects the network.
 * source: docs/decisions/ranking.md#independence
 */
export const UNANCHORED_INDEPENDENCE = 1;

/** Independence from which a buyer counts as independent. source: docs/decisions/ranking.md#other-attacks */
export const INDEPENDENT_FROM = 0.5;

/**
 * Value from one buyer that is one unit of evidence, in USDC base units (50 USDC).
 * source: docs/decisions/ranking.md#independence
 */
export const EVIDENCE_UNIT = 50_000_000;

/** Most units of evidence from one buyer. source: docs/decisions/ranking.md#independence */
export const EVIDENCE_CAP = 4;

/** Units of evidence that the confidence is shrunk by. source: docs/decisions/ranking.md#independence */
export const EVIDENCE_SHRINKAGE = 3;

/** Highest confidence while no verified buyers are configured. source: docs/decisions/ranking.md#independence */
export const UNANCHORED_CONFIDENCE_CAP = 0.5;

/**
 * Share of trust that a principal passes on along its money; the rest starts at the anchors.
 * source: docs/decisions/ranking.md#independence
 */
export const WALK_DAMPING = 0.7;

/**
 * Sweeps of the walk. They pass trust on within the sweep, so that 13 of them come as close to the limit as 25 that
 * update all principals at once. source: docs/decisions/ranking.md#independence
 */
export const WALK_SWEEPS = 13;

/**
 * Share of all trust that lies with those of less than reference trust. source: docs/decisions/ranking.md#independence
 */
export const REFERENCE_QUANTILE = 0.2;

/**
 * Numbers of cohorts that anchors are dealt into; odd, so that the median is one of them.
 * source: docs/decisions/ranking.md#independence
 */
export const COHORT_COUNTS: readonly number[] = Object.freeze([5, 3, 1]);
