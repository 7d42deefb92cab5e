import { Injectable } from '@nestjs/common';
import { SearchConnections } from '../../../platform/database/read-connections.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { unpackAgents } from '../agent-index/agent-columns.js';
import { AgentIndexThread } from '../agent-index/agent-index-thread.js';
import type { DocumentSum } from '../agent-index/best-sums.js';
import type { IndexQuery } from '../agent-index/index-messages.js';
import type { IndexedAgent } from '../agent-index/known-facts.js';
import { shownFor } from '../agent-facts.sql.js';
import { isEligible } from '../eligibility.js';
import { BRIEF_CANDIDATES } from '../matching-limits.js';
import { similarityOf } from '../relevance/similar-briefs.js';
import { CandidateFacts, type SettledAgents } from './candidate-facts.js';
import { type Candidate, type CandidateQuery, CandidateSource } from './candidate-source.js';
import { heaviestFirst } from './posting-lists.js';
import { SqlCandidateSource } from './sql-candidate-source.js';

const SHOWN: PreparedStatement = { name: 'match_shown_for', text: shownFor('$1') };

/** Those who settled similar briefs, the most similar first, and what the index says of them. */
interface FoundBySettled {
  settled: SettledAgents;
  agents: IndexedAgent[];
}

/**
 * Candidates from the index in memory, with all that is said of them; only who settled the similar briefs is read from the
 * database, as is everything while the index is not there. rule: design/ranking.md §5.2
 */
@Injectable()
export class MemoryCandidateSource extends CandidateSource {
  constructor(
    private readonly thread: AgentIndexThread,
    private readonly facts: CandidateFacts,
    private readonly sql: SqlCandidateSource,
    private readonly reads: SearchConnections,
  ) {
    super();
  }

  override async candidates(query: CandidateQuery): Promise<Candidate[]> {
    if (query.terms.length === 0 && query.brief.length === 0) return [];
    const search = this.thread.search(indexQueryOf(query));
    const [byText, bySettled, shown] = await Promise.all([
      search.agents.then((agents) => agents && unpackAgents(agents)),
      search.briefs.then((briefs) => (briefs === null ? null : this.bySettled(query, briefs))),
      this.reads.query<{ agent_id: string }>(SHOWN.name, SHOWN.text, [query.taskId]),
    ]);
    if (byText === null || bySettled === null) return this.sql.candidates(query);
    const shownIds = new Set(shown.map(({ agent_id }) => agent_id));
    const refusedIds = new Set(query.refusedAgents);
    // Field by field: objects that are spread are slow to make and to read, and there are a thousand.
    const candidateOf = ({ agentNumber, relevance, facts }: IndexedAgent): Candidate => ({
      agentNumber,
      agentId: facts.agentId,
      accountId: facts.accountId,
      ownerCluster: facts.ownerCluster,
      walletAddress: facts.walletAddress,
      status: 'active',
      available: true,
      refusedBefore: refusedIds.has(facts.agentId),
      relevance,
      similarity: similarityOf(bySettled.settled.get(agentNumber) ?? 0),
      liveNodes: facts.liveNodes,
      impressions: facts.impressions - (shownIds.has(facts.agentId) ? 1 : 0),
      reputation: facts.reputation,
    });
    const settled = bySettled.agents.map(candidateOf).filter((candidate) => isEligible(candidate, query.buyer));
    const found = new Set(byText.map(({ agentNumber }) => agentNumber));
    const others = settled.slice(0, BRIEF_CANDIDATES).filter(({ agentNumber }) => !found.has(agentNumber));
    return [...byText.map(candidateOf), ...others];
  }

  private async bySettled(query: CandidateQuery, briefs: readonly DocumentSum[]): Promise<FoundBySettled | null> {
    const numbers = briefs.map(({ document }) => document);
    const settled = await this.facts.settled(query, { numbers, products: briefs.map(({ sum }) => sum) });
    if (settled.size === 0) return { settled, agents: [] };
    const { terms, atMs } = indexQueryOf(query);
    const agents = await this.thread.agents({ numbers: [...settled.keys()], terms, atMs });
    return agents === null ? null : { settled, agents: unpackAgents(agents) };
  }
}

/** A query as the index understands it. */
export function indexQueryOf({ terms, brief, buyer, buyerAccounts, refusedAgents, at }: CandidateQuery): IndexQuery {
  return {
    terms: terms.map(({ termId, idf }) => ({ termId, weight: idf })),
    brief: heaviestFirst(brief),
    buyerAccounts,
    buyerWallet: buyer.walletAddress,
    refusedAgents,
    atMs: at.getTime(),
  };
}
