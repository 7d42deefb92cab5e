/** Every number of relevance and ranking, frozen in one place (docs/decisions/ranking.md#frozen-constants). */

/** Numbers of the relevance of texts (relevance/impact.ts). */
export interface TextWeights {
  /** Weight of a word in an agent's name against one in its capabilities or description. */
  name: number;
  /** Shares of the length of each field in its normalisation, 0 (none) to 1 (all). */
  nameLength: number;
  restLength: number;
  /** The same of the length of all texts, outside the saturation. */
  wholeLength: number;
  /** k1: weighted frequency at which a word has half of its greatest effect. */
  saturation: number;
}

/**
 * Those whose mean nDCG@10 on the validation requests is the best; `npm run eval:matching -- --on validation` prints
 * all that were compared. `restLength` is at least a tenth, so that who fills a long text with words loses in
 * proportion to it. Plain BM25F would have 3, 0.5, 0.75 and 1.2. source: docs/decisions/ranking.md#relevance-of-texts
 */
export const TEXT_WEIGHTS: TextWeights = {
  name: 2,
  nameLength: 0.5,
  restLength: 0.1,
  wholeLength: 0.7,
  saturation: 3,
};

/**
 * Greatest impact of a word on an agent's relevance: one byte of a posting. On validation requests, 1,023 and impacts
 * that are not rounded change nDCG@10 by less than 0.0008 either way (dev/eval/matching/matching-choices.ts).
 * source: docs/decisions/ranking.md#search-in-memory
 */
export const MAX_IMPACT = 255;

/** Parts of one in an inverse document frequency as it is kept, an integer. (policy) */
export const IDF_SCALE = 1_024;

/** Words of a task that are looked for: a brief of 20,000 characters has thousands. (policy) */
export const MAX_QUERY_TERMS = 64;

/** Words of a settled brief that are kept, those of the greatest weight. (policy) */
export const MAX_BRIEF_TERMS = 64;

/** Length of a brief's vector of integer weights. (policy) */
export const BRIEF_NORM = 255;

/** Shares of the blend; their sum is 1. source: docs/decisions/ranking.md#blend (policy) */
export const BLEND = { relevance: 0.6, score: 0.25, independence: 0.05, priceFit: 0.05, idle: 0.05 } as const;

/** Live nodes at which an agent counts as fully loaded. (policy) */
export const FULL_LOAD = 10;

/** Places that exploration and diversity look at together. source: docs/decisions/ranking.md#discovery-and-variety */
export const WINDOW_SIZE = 10;

/**
 * Place of every ten, from 1, that is given to an agent without a record.
 * source: docs/decisions/ranking.md#discovery-and-variety
 */
export const DISCOVERY_PLACE = 6;

/**
 * Independent settlements from which on an agent has a record of its own.
 * source: docs/decisions/ranking.md#discovery-and-variety
 */
export const ESTABLISHED_SETTLEMENTS = 5;

/**
 * Least relevance of an agent shown for discovery, as a share of that of the last agent of its ten.
 * source: docs/decisions/ranking.md#discovery-and-variety
 */
export const DISCOVERY_RELEVANCE = 0.8;

/**
 * Agents of one owner cluster in every ten, while there are others.
 * source: docs/decisions/ranking.md#discovery-and-variety
 */
export const MAX_PER_OWNER = 2;
