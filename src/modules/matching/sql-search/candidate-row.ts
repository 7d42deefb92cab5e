import type { Candidate } from '../ranking/candidate-source.js';
import type { CandidateRow } from './candidates.sql.js';
import { rankedReputationIn } from '../ranking/reputation-row.js';

/** Converts the row of a hireable agent to a candidate. Its similarity is 0, because the row does not contain it. */
export function candidateOf(row: CandidateRow, relevance: number): Candidate {
  return {
    agentNumber: Number(row.number),
    agentId: row.id,
    accountId: row.account_id,
    ownerCluster: row.owner_cluster,
    walletAddress: row.wallet_address,
    status: 'active',
    available: true,
    refusedBefore: false,
    relevance,
    similarity: 0,
    liveNodes: Number(row.live_nodes),
    impressions: Number(row.impressions),
    reputation: rankedReputationIn(row),
  };
}
