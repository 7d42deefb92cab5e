import type { TextWeights } from '../../../modules/matching/relevance/matching-constants.js';
import { rank, relevanceShares, type RankedReputation } from '../../../modules/matching/ranking/rank.js';
import { type HistoryDepth, type RarityOver, SettledBriefs } from './matching-history.js';
import type { LexicalRequest, LexicalSet } from './matching-postgres.js';
import { type ImpactScale, plainBm25, shippedRelevance } from './matching-relevance.js';
import { ndcgOf } from '../statistics/ndcg.js';
import { Seeded } from '../statistics/seeded.js';

const PLACES = 10;

/** nDCG@10 for each test of a set. */
export type TestFigures = number[];

/** Returns the numbers of the ten best tools for a request, the best first. */
type Ranker = (request: LexicalRequest) => number[];

/** The same reputation for every agent, so that only relevance decides and nobody is a newcomer. */
const EQUAL_RECORD: RankedReputation = { score: 0.9, independenceConfidence: 0.5, independentSettlements: 10 };

export const BM25F = 'BM25F, shipped';

/** Figures of the methods that use the texts only, by name of the method. */
export function byTexts(lexical: LexicalSet): Map<string, TestFigures> {
  const plain = plainBm25(lexical);
  const shipped = shippedRelevance(lexical);
  const rankers: [string, Ranker][] = [
    ['BM25 1.2/0.75', ({ query }) => bestOf(plain(query))],
    [BM25F, ({ query }) => bestOf(shipped(query))],
    ['whole ranking, equal records', ({ query }) => wholeRanking(shipped(query), EQUAL_RECORD)],
    ['whole ranking, nobody has a record', ({ query }) => wholeRanking(shipped(query), null)],
  ];
  return new Map(rankers.map(([name, ranker]) => [name, figuresOf(lexical, ranker)]));
}

/** Figures of the texts only, with other constants. */
export function byNumbers(lexical: LexicalSet, scale?: ImpactScale, weights?: TextWeights): TestFigures {
  const relevance = shippedRelevance(lexical, scale, weights);
  return figuresOf(lexical, ({ query }) => bestOf(relevance(query)));
}

/** Figures of the texts with the bonus for settled briefs, as in production. */
export function withHistory(
  lexical: LexicalSet,
  depth: HistoryDepth,
  over: RarityOver,
  seed: number,
  scale?: ImpactScale,
): { figures: TestFigures; experienced: Set<number> } {
  const relevance = shippedRelevance(lexical, scale);
  const briefs = new SettledBriefs(lexical, depth, over, new Seeded(seed));
  const figures = figuresOf(lexical, (request) => {
    const similarities = briefs.similarities(request);
    const candidates = [...relevance(request.query)].map((sum, tool) => ({
      relevance: sum,
      similarity: similarities[tool] ?? 0,
    }));
    return bestOf(Float64Array.from(relevanceShares(candidates)));
  });
  return { figures, experienced: briefs.experienced };
}

function figuresOf({ set, tests }: LexicalSet, ranker: Ranker): TestFigures {
  return tests.map((request, test) => ndcgOf(ranker(request), set.tests[test]?.wanted ?? []));
}

/** The ten best tools with a relevance above 0; equal ones in the order of the set. */
function bestOf(relevance: Float64Array): number[] {
  return [...relevance.keys()]
    .filter((tool) => (relevance[tool] ?? 0) > 0)
    .sort((a, b) => (relevance[b] ?? 0) - (relevance[a] ?? 0) || a - b)
    .slice(0, PLACES);
}

/** The production ranking of agents that differ only in their texts. */
function wholeRanking(relevance: Float64Array, reputation: RankedReputation | null): number[] {
  const candidates = [...relevance.entries()]
    .filter(([, sum]) => sum > 0)
    .map(([tool, sum]) => {
      const agentId = String(tool).padStart(6, '0');
      return {
        agentId,
        ownerCluster: agentId,
        relevance: sum,
        similarity: 0,
        reputation,
        liveNodes: 0,
        impressions: 0,
        tool,
      };
    });
  return rank(candidates, PLACES).map(({ candidate }) => candidate.tool);
}
