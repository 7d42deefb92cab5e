import { BRIEF_NORM, MAX_BRIEF_TERMS } from './matching-constants.js';
import { idfOf } from './impact.js';

/** A brief as a vector of length 255: integer weights, 1 to 255, by word. */
export type BriefVector = ReadonlyMap<string, number>;

/**
 * A brief as a vector of tf-idf weights: the 64 heaviest words, scaled to length 255 and rounded; words that round to 0
 * are left out. The weights are integers, so that SQL and the index in memory get the same products.
 * rule: docs/decisions/ranking.md#similar-settled-briefs
 * @param terms words of the brief (title, brief and criteria) and how often each occurs.
 * @param idf returns `briefIdfOf` of a word.
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
 * Rarity of a word in a brief, over agents and settled briefs together, because a word that is rare among agents may be
 * in every request, and the other way round. Chosen on validation requests against agents alone and briefs alone
 * (dev/eval/matching.main.ts).
 * @param having numbers of agents and briefs that have the word.
 * @param all numbers of all agents and briefs.
 */
export function briefIdfOf(having: TextCounts, all: TextCounts): number {
  return idfOf(having.agents + having.briefs, all.agents + all.briefs);
}

/**
 * Cosine of two briefs, 0 to 1, from the dot product of their vectors, an integer below 2^31. Rounding may put equal
 * briefs a little below 1.
 */
export function similarityOf(dot: number): number {
  return Math.min(1, dot / (BRIEF_NORM * BRIEF_NORM));
}

/**
 * Bonus that the most similar settled brief adds to an agent's relevance, 0 to 1.
 * rule: docs/decisions/ranking.md#similar-settled-briefs
 */
export function similarBriefBonus(similarity: number): number {
  return similarity * similarity;
}
