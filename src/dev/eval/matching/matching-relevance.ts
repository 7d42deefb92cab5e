import { MAX_IMPACT, TEXT_WEIGHTS, type TextWeights } from '../../../modules/matching/relevance/matching-constants.js';
import { type FieldCounts, idfOf, weightOf, wholeImpact } from '../../../modules/matching/relevance/impact.js';
import type { LexicalSet } from './matching-postgres.js';

/** Returns the relevance of every tool to a query, in the order of the set. */
export type Relevance = (query: readonly string[]) => Float64Array;

/** What one word adds to one tool's relevance, before it is multiplied by the word's rarity. */
interface Posting {
  tool: number;
  impact: number;
}

/** The largest impact when impacts are rounded to whole numbers; null for no rounding. */
export type ImpactScale = number | null;

/**
 * The production relevance, BM25F as sums of integers (modules/matching/relevance/impact.ts); optionally with other
 * constants.
 */
export function shippedRelevance(
  { tools }: LexicalSet,
  scale: ImpactScale = MAX_IMPACT,
  weights: TextWeights = TEXT_WEIGHTS,
): Relevance {
  const averages = { name: 0, rest: 0 };
  for (const { lengths } of tools) {
    averages.name += lengths.name / tools.length;
    averages.rest += lengths.rest / tools.length;
  }
  const impact = (weight: number): number => (scale === null ? weight : wholeImpact(weight, scale));
  return relevanceBy(tools, (tf, lengths) => impact(weightOf(tf, lengths, averages, weights)), idfOf);
}

/** BM25 over all texts as one field, with k1 = 1.2, b = 0.75 and floating point; for comparison with BM25F. */
export function plainBm25({ tools }: LexicalSet): Relevance {
  const lengthOf = ({ name, rest }: FieldCounts): number => name + rest;
  const average = tools.reduce((sum, { lengths }) => sum + lengthOf(lengths), 0) / tools.length;
  return relevanceBy(
    tools,
    (counts, lengths) => {
      const tf = lengthOf(counts);
      return (tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * lengthOf(lengths)) / average));
    },
    (df, count) => Math.log(1 + (count - df + 0.5) / (df + 0.5)),
  );
}

/** For each word, how many tools of the set have it. */
export function documentFrequencies({ tools }: LexicalSet): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const { terms } of tools) {
    for (const word of terms.keys()) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  }
  return frequencies;
}

function relevanceBy(
  tools: LexicalSet['tools'],
  impact: (tf: FieldCounts, lengths: FieldCounts) => number,
  idf: (df: number, count: number) => number,
): Relevance {
  const postings = new Map<string, Posting[]>();
  for (const [tool, { terms, lengths }] of tools.entries()) {
    for (const [word, tf] of terms) {
      const list = postings.get(word) ?? [];
      list.push({ tool, impact: impact(tf, lengths) });
      postings.set(word, list);
    }
  }
  return (query) => {
    const sums = new Float64Array(tools.length);
    for (const word of query) {
      const list = postings.get(word) ?? [];
      const rarity = idf(list.length, tools.length);
      for (const { tool, impact: part } of list) sums[tool] = (sums[tool] ?? 0) + rarity * part;
    }
    return sums;
  };
}
