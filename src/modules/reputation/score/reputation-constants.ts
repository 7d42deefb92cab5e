/** Every number of the reputation formulas, frozen in one place (docs/decisions/ranking.md#frozen-constants). */

/**
 * Mean of the prior. An agent with a lower score could gain by registering anew. Unit: share of success.
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
 * Start time of forward-decayed sums: evidence at time t is stored multiplied by 2^((t - start) / half-life), so that
 * sums do not change with time. Any instant would do, but changing it invalidates stored sums. Unit: milliseconds since
 * 1970. source: docs/decisions/ranking.md#score
 */
export const EVIDENCE_EPOCH_MS = Date.UTC(2026, 0, 1);

/**
 * Days within which each further settlement for the same buyer counts half as much as the previous one.
 * source: docs/decisions/ranking.md#score (policy)
 */
export const REPEAT_WINDOW_DAYS = 30;

/**
 * Settlements within that time that count at all; the weight of any further one would be below 2^-63. This limits how
 * many settlements an added or removed one can affect. Unit: settlements.
 */
export const REPEATS_COUNTED = 64;

/**
 * Weight of an abandonment, which the worker announces in time, relative to other failures.
 * source: docs/decisions/ranking.md#score (policy)
 */
export const ABANDONMENT_WEIGHT = 0.5;

/** Least weight of negative evidence, from a buyer without independence. source: docs/decisions/ranking.md#score */
export const NEGATIVE_FLOOR = 0.5;

/**
 * Independence of every buyer while there are no verified buyers; nothing protects the market then.
 * source: docs/decisions/ranking.md#independence
 */
export const UNANCHORED_INDEPENDENCE = 1;

/** Independence from which a buyer counts as independent. source: docs/decisions/ranking.md#other-attacks */
export const INDEPENDENT_FROM = 0.5;

/**
 * Value from one buyer that makes one unit of evidence, in USDC base units (50 USDC).
 * source: docs/decisions/ranking.md#independence
 */
export const EVIDENCE_UNIT = 50_000_000;

/** Most units of evidence from one buyer. source: docs/decisions/ranking.md#independence */
export const EVIDENCE_CAP = 4;

/** Units of evidence by which the confidence is shrunk. source: docs/decisions/ranking.md#independence */
export const EVIDENCE_SHRINKAGE = 3;

/** Highest confidence while no verified buyers are configured. source: docs/decisions/ranking.md#independence */
export const UNANCHORED_CONFIDENCE_CAP = 0.5;

/**
 * Share of trust that a principal passes on along its payments; the rest restarts at the anchors.
 * source: docs/decisions/ranking.md#independence
 */
export const WALK_DAMPING = 0.7;

/**
 * Sweeps of the trust walk. Each sweep already uses the values that it has updated, so that 13 sweeps come as close to
 * the limit as 25 that update all principals at once. source: docs/decisions/ranking.md#independence
 */
export const WALK_SWEEPS = 13;

/**
 * Quantile of trust that defines the reference trust: this share of all trust lies with principals below it.
 * source: docs/decisions/ranking.md#independence
 */
export const REFERENCE_QUANTILE = 0.2;

/**
 * Possible numbers of cohorts for the anchors; odd, so that the median is one cohort's value.
 * source: docs/decisions/ranking.md#independence
 */
export const COHORT_COUNTS: readonly number[] = Object.freeze([5, 3, 1]);
