import type { RankedMatch } from './agent-ranking.js';

/** Parts of one that a frozen score counts: scores have four decimals. */
export const SCORE_PARTS = 10_000;

/**
 * Rows of a ranking in columns, as a statement takes them: arrays of `pg`, or the arrays that Postgres sent as text. In the
 * order of the columns of `match_snapshots`: agent numbers, ranks, scores in ten-thousandths, relevances, similarities,
 * and whether the place is one of discovery.
 */
export type RankingColumns = readonly [
  agentNumbers: Column<number>,
  ranks: Column<number>,
  scores: Column<number>,
  relevances: Column<number>,
  similarities: Column<number>,
  discoveries: Column<boolean>,
];

type Column<T> = readonly T[] | string;

/** The columns of some matches. */
export function columnsOf(matches: readonly RankedMatch[]): RankingColumns {
  return [
    matches.map(({ candidate }) => candidate.agentNumber),
    matches.map(({ rank }) => rank),
    matches.map(({ score }) => Math.round(score * SCORE_PARTS)),
    matches.map(({ candidate }) => candidate.relevance),
    matches.map(({ candidate }) => candidate.similarity),
    matches.map(({ isDiscovery }) => isDiscovery),
  ];
}
