import type { RankedReputation } from './rank.js';

/** The parts of an agent's record (a row of `reputation_records`) that are shown or used in a reason. */
export interface MatchReputation {
  /** In [0, 1]. */
  score: number;
  /** In [0, 1], over the last 60 days. */
  recentScore: number;
  /** In [0, 1]. */
  independenceConfidence: number;
  /** Base units. */
  settledValue: bigint;
  /** Base units, at most `settledValue`. */
  independentValue: bigint;
  independentBuyers: number;
  /** Buyers that no trust run has checked yet. */
  pendingBuyers: number;
  settlements: number;
}

/** An agent's settlements, multiplied by the share of its settled value that came from independent buyers. */
export function independentSettlementsOf({
  settlements,
  settledValue,
  independentValue,
}: Pick<MatchReputation, 'settlements' | 'settledValue' | 'independentValue'>): number {
  if (settledValue === 0n) return 0;
  return (settlements * Number(independentValue)) / Number(settledValue);
}

/**
 * The columns of a record that decide a place, as the text that Postgres sent; all null for an agent without a record.
 */
export interface RankedReputationColumns {
  score: string | null;
  independence_confidence: string | null;
  settled_value: string | null;
  independent_value: string | null;
  settlements: string | null;
}

/** The columns of a shown record, as the text that Postgres sent; all null for an agent without a record. */
export interface ReputationColumns extends RankedReputationColumns {
  recent_score: string | null;
  independent_buyers: string | null;
  pending_buyers: string | null;
}

/** SQL for `RankedReputationColumns`. @param row alias of a row with a record's columns. */
export const rankedReputationSql = (row: string): string => `${row}.score, ${row}.independence_confidence,
  ${row}.settled_value, ${row}.independent_value, ${row}.settlements::text AS settlements`;

/** Reads the parts of a record that decide a place; null without a record. */
export function rankedReputationIn(row: RankedReputationColumns): RankedReputation | null {
  if (row.score === null) return null;
  return {
    score: Number(row.score),
    independenceConfidence: Number(row.independence_confidence),
    independentSettlements: independentSettlementsOf(valuesIn(row)),
  };
}

/** Reads a whole record; null without one. */
export function reputationIn(row: ReputationColumns): MatchReputation | null {
  if (row.score === null) return null;
  return {
    ...valuesIn(row),
    score: Number(row.score),
    recentScore: Number(row.recent_score),
    independenceConfidence: Number(row.independence_confidence),
    independentBuyers: Number(row.independent_buyers),
    pendingBuyers: Number(row.pending_buyers),
  };
}

function valuesIn({ settled_value, independent_value, settlements }: RankedReputationColumns) {
  return {
    settledValue: BigInt(settled_value ?? 0),
    independentValue: BigInt(independent_value ?? 0),
    settlements: Number(settlements),
  };
}
