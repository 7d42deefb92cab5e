/** Every number of relevance and ranking, frozen in one place (docs/decisions/ranking.md#frozen-constants). */

/** Numbers of the relevance of texts (relevance/impact.ts). */
export interface TextWeights {
  /** Weight of a word in an agent's name against one in its capabilities or description. */
  name: number;
  /** Strength of each field's length normalisation, from 0 (none) to 1 (full). */
  nameLength: number;
  restLength: number;
  /** Strength of the length normalisation by all texts, outside the saturation. */
  wholeLength: number;
  /** k1: weighted frequency at which a word has half of its greatest effect. */
  saturation: number;
}

/**
 * The weights with the best mean nDCG@10 on the validation requests; `npm run eval:matching -- --on validation` prints
 * all that were compared. `restLength` is at least 0.1, so that filling a long text with words costs relevance in
 * proportion. Plain BM25F would have 3, 0.5, 0.75 and 1.2. source: docs/decisions/ranking.md#relevance-of-texts
 */
export const TEXT_WEIGHTS: TextWeights = {
  name: 2,
  nameLength: 0.5,
  restLength: 0.1,
  wholeLength: 0.7,
  saturation: 3,
};

/**
 * Greatest impact of a word on an agent's relevance; it fits in one byte of a posting. On validation requests, a
 * maximum of 1,023 or unrounded impacts change nDCG@10 by less than 0.0008 either way (dev/eval/matching/matching-choices.ts).
 * source: docs/decisions/ranking.md#search-in-memory
 */
export const MAX_IMPACT = 255;

/** An idf is stored as an integer in units of 1/1,024. (policy) */
export const IDF_SCALE = 1_024;

/** Most words of a task that are searched; a brief of 20,000 characters has thousands. (policy) */
export const MAX_QUERY_TERMS = 64;

/** Most words of a settled brief that are stored, those of the greatest weight. (policy) */
export const MAX_BRIEF_TERMS = 64;

/** Length of a brief's vector of integer weights. (policy) */
export const BRIEF_NORM = 255;

/** Shares of the blend; their sum is 1. source: docs/decisions/ranking.md#blend (policy) */
export const BLEND = { relevance: 0.6, score: 0.25, independence: 0.05, priceFit: 0.05, idle: 0.05 } as const;

/** Live nodes at which an agent counts as fully loaded. (policy) */
export const FULL_LOAD = 10;

/**
 * Size of the window of places that exploration and diversity work on.
 * source: docs/decisions/ranking.md#discovery-and-variety
 */
export const WINDOW_SIZE = 10;

/**
 * Place in each window, counted from 1, for an agent without a record.
 * source: docs/decisions/ranking.md#discovery-and-variety
 */
export const DISCOVERY_PLACE = 6;

/**
 * Independent settlements from which an agent counts as having a record.
 * source: docs/decisions/ranking.md#discovery-and-variety
 */
export const ESTABLISHED_SETTLEMENTS = 5;

/**
 * Least relevance of an agent for a discovery place, as a share of the relevance of the window's last agent.
 * source: docs/decisions/ranking.md#discovery-and-variety
 */
export const DISCOVERY_RELEVANCE = 0.8;

/**
 * Most agents of one owner cluster in a window, while there are others.
 * source: docs/decisions/ranking.md#discovery-and-variety
 */
export const MAX_PER_OWNER = 2;
