import { independentSettlementsOf, type MatchReputation } from './match-reputation.js';
import type { RankedReputation } from './rank.js';

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
