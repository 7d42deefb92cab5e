import type { Candidate } from './candidate-source.js';
import type { CandidateRow } from './candidates.sql.js';
import { rankedReputationIn } from '../reputation-row.js';

/** A row by the names of the program; what the agent has settled, no row says. */
export function candidateOf(row: CandidateRow, relevance: number): Candidate {
  return {
    agentNumber: Number(row.number),
    agentId: row.id,
    accountId: row.account_id,
    ownerCluster: row.owner_cluster,
    walletAddress: row.wallet_address,
    status: row.status,
    available: row.available === 'true',
    refusedBefore: row.refused_before === 'true',
    relevance,
    similarity: 0,
    liveNodes: Number(row.live_nodes),
    impressions: Number(row.impressions),
    reputation: rankedReputationIn(row),
  };
}
