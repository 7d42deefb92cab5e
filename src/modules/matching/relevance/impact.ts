import { IDF_SCALE, MAX_IMPACT, TEXT_WEIGHTS, type TextWeights } from './matching-constants.js';

/** One number per field of an agent's texts: `name`, and `rest` for capabilities and description together. */
export interface FieldCounts {
  name: number;
  rest: number;
}

/**
 * What one word adds to an agent's relevance, apart from the word's rarity: `weightOf` as an integer from 1 to 255; 0
 * for a word that the agent does not have. rule: docs/decisions/ranking.md#relevance-of-texts
 *
 * Relevance is the sum of `idfOf * impactOf` over the words of a task. Both are integers, so that SQL and the index in
 * memory get the same sum in any order of addition. The sum fits in 32 bits: in a market of up to 1e9 agents an idf is
 * at most 21,930; times 255, times 64 words is 357,897,600, below 2^31.
 * @param tf occurrences of the word.
 * @param lengths words of the agent's fields.
 * @param averages mean of `lengths` over all agents; 0 for a field that no agent has filled.
 */
export function impactOf(tf: FieldCounts, lengths: FieldCounts, averages: FieldCounts): number {
  return wholeImpact(weightOf(tf, lengths, averages), MAX_IMPACT);
}

/**
 * Weight of a word for an agent: BM25F's saturated frequency, divided by the square root of the relative length of the
 * agent's texts. BM25F normalises the length only inside the saturation. There it separates repeated words from long
 * texts, but the saturation removes most of its effect on a word that occurs once. So only a part of the normalisation
 * is inside. Chosen on validation requests (TEXT_WEIGHTS). source: Robertson and Zaragoza, The Probabilistic Relevance
 * Framework: BM25 and Beyond (2009); for the length outside: Singhal, Buckley and Mitra, Pivoted Document Length
 * Normalization (1996)
 * @returns 0 for a word that the agent does not have; at most 1 for an agent of the average length or longer.
 */
export function weightOf(
  tf: FieldCounts,
  lengths: FieldCounts,
  averages: FieldCounts,
  weights: TextWeights = TEXT_WEIGHTS,
): number {
  const name = (weights.name * tf.name) / lengthNorm(lengths.name, averages.name, weights.nameLength);
  const frequency = name + tf.rest / lengthNorm(lengths.rest, averages.rest, weights.restLength);
  const whole = lengthNorm(lengths.name + lengths.rest, averages.name + averages.rest, weights.wholeLength);
  return frequency / (weights.saturation + frequency) / Math.sqrt(whole);
}

/** A weight as an integer from 1 to `most`; weights above 1 give `most`, and weights of 0 or less give 0. */
export function wholeImpact(weight: number, most: number): number {
  if (weight <= 0) return 0;
  return Math.min(most, Math.max(1, Math.floor(most * weight + 0.5)));
}

/**
 * Rarity of a word in 1/1024: ln(1 + (N - df + 0.5) / (df + 0.5)), at least 1, so that even a word of nearly all agents
 * counts for those that have it. rule: docs/decisions/ranking.md#relevance-of-texts
 * @param df agents that have the word. A value above `agents`, from older statistics, counts as `agents`.
 * @param agents all agents.
 */
export function idfOf(df: number, agents: number): number {
  const having = Math.min(df, agents);
  const idf = Math.log(1 + (agents - having + 0.5) / (having + 0.5));
  return Math.max(1, Math.floor(IDF_SCALE * idf + 0.5));
}

function lengthNorm(length: number, average: number, share: number): number {
  return 1 - share + share * (average > 0 ? length / average : 1);
}
