import { Injectable } from '@nestjs/common';
import { AgentIndexThread } from './agent-index-thread.js';
import type { IndexQuery } from './index-messages.js';
import { similarityOf } from '../relevance/similar-briefs.js';
import {
  type Candidate,
  type CandidateQuery,
  type CandidateSearch,
  CandidateSource,
} from '../ranking/candidate-source.js';
import { heaviestFirst } from '../sql-search/posting-lists.js';
import { SqlCandidateSource } from '../sql-search/sql-candidate-source.js';

/**
 * Candidates with their attributes from the index in memory, or from the database while the index cannot answer.
 * rule: docs/decisions/ranking.md#search-in-memory
 */
@Injectable()
export class MemoryCandidateSource extends CandidateSource {
  constructor(
    private readonly thread: AgentIndexThread,
    private readonly sql: SqlCandidateSource,
  ) {
    super();
  }

  override begin(): CandidateSearch {
    const sinceMs = this.thread.startReading();
    return (query) => this.candidates(query, sinceMs);
  }

  private async candidates(query: CandidateQuery, sinceMs: number): Promise<Candidate[]> {
    if (query.terms.length === 0 && query.brief.length === 0) return [];
    const agents = await this.thread.search(indexQueryOf(query), sinceMs);
    if (agents === null) return this.sql.begin()(query);
    const refusedIds = new Set(query.refusedAgents);
    // Fields are copied one by one, because spread objects are slow to make and to read, and there can be a thousand.
    return agents.map(({ agentNumber, relevance, dot, facts }) => ({
      agentNumber,
      agentId: facts.agentId,
      accountId: facts.accountId,
      ownerCluster: facts.ownerCluster,
      walletAddress: facts.walletAddress,
      status: 'active',
      available: true,
      refusedBefore: refusedIds.has(facts.agentId),
      relevance,
      similarity: similarityOf(dot),
      liveNodes: facts.liveNodes,
      impressions: facts.impressions,
      reputation: facts.reputation,
    }));
  }
}

/** Converts a candidate query to a query of the index. */
export function indexQueryOf(query: CandidateQuery): IndexQuery {
  const { terms, brief, excluded, anchored, at, buyer, buyerAccounts } = query;
  return {
    terms: terms.map(({ termId, idf }) => ({ termId, weight: idf })),
    brief: heaviestFirst(brief),
    anchored,
    excluded: { ...excluded, owners: [...buyerAccounts, buyer.walletAddress] },
    atMs: at.getTime(),
  };
}
