/**
 * Limits of the search for candidates and of its maintenance. They trade completeness for speed and change no formula.
 */

/** Most postings read for the rarest words of a task. source: docs/decisions/ranking.md#search-in-sql */
export const POSTINGS_READ = 20_000;

/** Most candidates found by their texts. source: docs/decisions/ranking.md#search-in-sql */
export const TEXT_CANDIDATES = 600;

/** Most further candidates found by settled briefs; with TEXT_CANDIDATES, as many as a ranking has rows. (policy) */
export const BRIEF_CANDIDATES = 400;

/**
 * Most agents with outdated rows that a search reads by number; when there are more, it uses no rows at all. (policy)
 */
export const MOST_PENDING = 5_000;

/**
 * Number of the heaviest words of a task that are searched in briefs; BRIEFS_PER_WORD: most briefs read per word.
 * (policy)
 */
export const BRIEF_WORDS = 16;
export const BRIEFS_PER_WORD = 1_000;

/**
 * Number of most similar briefs whose workers are looked up. Those that count for nobody are left out before, and equally
 * similar ones count as one. On validation requests, MetaTool's nDCG@10 is 0.7046 with 200 briefs, 0.7060 with 100 and
 * 0.7067 with 50, and Seal-Tools' does not change; more briefs admit more agents that did similar work.
 * rule: docs/decisions/ranking.md#similar-settled-briefs
 */
export const SIMILAR_BRIEFS = 100;

/**
 * Most briefs whose settlements the search in SQL reads to find SIMILAR_BRIEFS that count; how many of them it reads first,
 * which nearly always is enough; and how many times as many each next time. (policy)
 */
export const BRIEFS_READ = 2_000;
export const BRIEFS_READ_FIRST = 1.25 * SIMILAR_BRIEFS;
export const BRIEFS_READ_MORE = 3;

/**
 * Most equal briefs, the newest first, whose settlements the search in SQL reads, and most of one statement, so that no
 * template, however often used, makes it slow. (policy)
 */
export const EQUAL_BRIEFS = 500;
export const SETTLED_BRIEFS_READ = 4_000;

/** Sum of agents and settled briefs below which the statistics are updated at every change. (policy) */
export const SMALL_MARKET = 1_000;

/** Relative error of the averages from which all values computed with them are computed anew. (policy) */
export const DRIFT = 0.05;
