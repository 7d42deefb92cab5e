import { BRIEF_NORM, MAX_BRIEF_TERMS } from './matching-constants.js';
import { idfOf } from './impact.js';

/** A brief as a vector of length 255: integer weights, 1 to 255, by word. */
export type BriefVector = ReadonlyMap<string, number>;

/**
 * A brief as a vector of tf-idf weights: the 64 heaviest words, scaled to length 255 and rounded, those that round to
 * nothing left out. Integers, so that SQL and an index in memory come to the same products.
 * rule: docs/decisions/ranking.md#similar-settled-briefs
 * @param terms words of the brief (title, brief and criteria) and how often each occurs.
 * @param idf `briefIdfOf` the word.
 */
export function briefVector(terms: ReadonlyMap<string, number>, idf: (word: string) => number): BriefVector {
  const heaviest = [...terms]
    .filter(([, count]) => count > 0)
    .map(([word, count]): [string, number] => [word, (1 + Math.log(count)) * idf(word)])
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MAX_BRIEF_TERMS);
  const length = Math.sqrt(heaviest.reduce((sum, [, weight]) => sum + weight * weight, 0));
  return new Map(
    heaviest
      .map(([word, weight]): [string, number] => [word, Math.floor((BRIEF_NORM * weight) / length + 0.5)])
      .filter(([, weight]) => weight > 0),
  );
}

/** A count over agents' texts and one over settled briefs. */
export interface TextCounts {
  agents: number;
  briefs: number;
}

/**
 * Rarity of a word in a brief, over agents and settled briefs together: what agents seldom say may be in every request,
 * and the other way round. Chosen on validation requests against agents alone and briefs alone (dev/eval/matching.main.ts).
 * @param having agents and briefs that have the word.
 * @param all agents and briefs there are.
 */
export function briefIdfOf(having: TextCounts, all: TextCounts): number {
  return idfOf(having.agents + having.briefs, all.agents + all.briefs);
}

/**
 * Cosine of two briefs from the sum of the products of their weights, an integer below 2^31: 0 to 1. Equal briefs may come
 * out a little below 1.
 */
export function similarityOf(dot: number): number {
  return Math.min(1, dot / (BRIEF_NORM * BRIEF_NORM));
}

/**
 * What the most similar brief that an agent has settled adds to its relevance, 0 to 1.
 * rule: docs/decisions/ranking.md#similar-settled-briefs
 */
export function similarBriefBonus(similarity: number): number {
  return similarity * similarity;
}
