import { IDF_SCALE, MAX_IMPACT, TEXT_WEIGHTS, type TextWeights } from './matching-constants.js';

/** A number for each of the two fields of an agent's texts: its name; its capabilities and description together. */
export interface FieldCounts {
  name: number;
  rest: number;
}

/**
 * What one word adds to an agent's relevance, without the rarity of the word: `weightOf` it as an integer, 1 to 255, and 0
 * for a word that the agent does not have. rule: docs/decisions/ranking.md#relevance-of-texts
 *
 * Relevance is the sum of `idfOf * impactOf` over the words of a task. Both are integers, so that SQL and an index in
 * memory come to the same sum in whatever order they add. It stays exact in 32 bits: a document frequency of a market
 * of up to 1e9 agents is at most 21,930, times 255, times 64 words is 357,897,600, below 2^31.
 * @param tf occurrences of the word.
 * @param lengths words of the agent's fields.
 * @param averages mean of `lengths` over all agents; a field that nobody has fills may have the average 0.
 */
export function impactOf(tf: FieldCounts, lengths: FieldCounts, averages: FieldCounts): number {
  return wholeImpact(weightOf(tf, lengths, averages), MAX_IMPACT);
}

/**
 * How much a word says of an agent: BM25F's saturated frequency, divided by the root of how long the agent's texts
 * are beside others'. Only a share of the length is inside the saturation, where BM25F has all of it: there it tells a word
 * that is repeated from a long text, but saturation takes away most of what it says of a word that is there once. Chosen on
 * validation requests (TEXT_WEIGHTS). source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and
 * Beyond (2009); for the length outside: Singhal, Buckley and Mitra, Pivoted Document Length Normalization (1996)
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

/** A weight as an integer of 1 to `most`, which greater weights than 1 have too; 0 for none. */
export function wholeImpact(weight: number, most: number): number {
  if (weight <= 0) return 0;
  return Math.min(most, Math.max(1, Math.floor(most * weight + 0.5)));
}

/**
 * Rarity of a word in 1/1024: ln(1 + (N - df + 0.5) / (df + 0.5)), at least 1, so that a word which every agent has
 * still tells agents that have it from one that has not. rule: docs/decisions/ranking.md#relevance-of-texts
 * @param df agents that have the word; more than `agents`, from older statistics, counts as all of them.
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
