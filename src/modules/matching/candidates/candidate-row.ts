import type { MatchReputation } from '../rank.js';
import { similarityOf } from '../relevance/similar-briefs.js';
import type { Candidate } from './candidate-source.js';
import type { CandidateRow } from './candidates.sql.js';

/** A row of `CANDIDATES` by the names of the program. @param dot product of the most similar brief that it has settled. */
export function candidateOf(row: CandidateRow, dot: number): Candidate {
  return {
    agentNumber: Number(row.number),
    agentId: row.id,
    accountId: row.account_id,
    ownerCluster: row.owner_cluster,
    walletAddress: row.wallet_address,
    status: row.status,
    available: row.available === 'true',
    refusedBefore: row.refused_before === 'true',
    relevance: Number(row.relevance),
    similarity: similarityOf(dot),
    liveNodes: Number(row.live_nodes),
    impressions: Number(row.impressions),
    reputation: reputationIn(row),
  };
}

/** The columns of a reputation record, all of them null for an agent without one. */
export type ReputationColumns = Pick<
  CandidateRow,
  | 'score'
  | 'recent_score'
  | 'independence_confidence'
  | 'settled_value'
  | 'independent_value'
  | 'independent_buyers'
  | 'pending_buyers'
  | 'settlements'
>;

/** The record in a row, or null. */
export function reputationIn(row: ReputationColumns): MatchReputation | null {
  if (row.score === null) return null;
  return {
    score: Number(row.score),
    recentScore: Number(row.recent_score),
    independenceConfidence: Number(row.independence_confidence),
    settledValue: BigInt(row.settled_value ?? 0),
    independentValue: BigInt(row.independent_value ?? 0),
    independentBuyers: Number(row.independent_buyers),
    pendingBuyers: Number(row.pending_buyers),
    settlements: Number(row.settlements),
  };
}
