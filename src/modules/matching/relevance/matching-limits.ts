/** Bounds of the search for candidates and of its upkeep; what they leave out changes speed, not formulas. */

/** Postings that the rarest words of a task may bring. source: docs/decisions/ranking.md#search-in-sql */
export const POSTINGS_READ = 20_000;

/** Agents that are looked at closely for their texts. source: docs/decisions/ranking.md#search-in-sql */
export const TEXT_CANDIDATES = 600;

/** Agents that come in addition for what they have settled: with the others, as many as a ranking has rows. (policy) */
export const BRIEF_CANDIDATES = 400;

/**
 * Agents with rows that have not followed yet, up to which a search asks which they are; of more, it trusts no row. (policy)
 */
export const MOST_PENDING = 5_000;

/** Words of a task, the heaviest, by which similar briefs are looked for, and briefs that each may bring. (policy) */
export const BRIEF_WORDS = 16;
export const BRIEFS_PER_WORD = 1_000;

/**
 * Briefs, the most similar, whose workers are looked up. On validation requests, MetaTool's nDCG@10 with briefs is 0.7046
 * with 200 of them, 0.7060 with 100 and 0.7067 with 50, Seal-Tools' the same; more let in more of the agents that did
 * similar work.
 */
export const SIMILAR_BRIEFS = 100;

/** Agents and settled briefs together up to which statistics follow every change at once. (policy) */
export const SMALL_MARKET = 1_000;

/** How far, as a share, averages may be off before everything made with them is made anew. (policy) */
export const DRIFT = 0.05;
