import type { Candidate } from '../ranking/candidate-source.js';
import type { RankedCandidate } from '../ranking/rank.js';
import { arrayText } from '../relevance/pg-array.js';

/** A frozen score is stored in units of 1/10,000, because scores have four decimals. */
export const SCORE_PARTS = 10_000;

/** What a snapshot keeps of a match. */
export interface PlacedMatch extends Pick<RankedCandidate<unknown>, 'rank' | 'score' | 'isDiscovery'> {
  candidate: Pick<Candidate, 'agentNumber' | 'relevance' | 'similarity'>;
}

/**
 * A ranking as columns, each the text of a Postgres array, in the order of the columns of `match_snapshots`: agent
 * numbers, ranks, scores in ten-thousandths, relevances, similarities, and whether a place is a discovery place.
 */
export type RankingColumns = readonly [
  agentNumbers: string,
  ranks: string,
  scores: string,
  relevances: string,
  similarities: string,
  discoveries: string,
];

/** Converts matches to columns. */
export function columnsOf(matches: readonly PlacedMatch[]): RankingColumns {
  return [
    arrayText(matches.map(({ candidate }) => candidate.agentNumber)),
    arrayText(matches.map(({ rank }) => rank)),
    arrayText(matches.map(({ score }) => Math.round(score * SCORE_PARTS))),
    arrayText(matches.map(({ candidate }) => candidate.relevance)),
    arrayText(matches.map(({ candidate }) => candidate.similarity)),
    arrayText(matches.map(({ isDiscovery }) => isDiscovery)),
  ];
}
