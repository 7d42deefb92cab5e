import { Injectable } from '@nestjs/common';
import { SearchConnections } from '../../../platform/database/read-connections.js';
import type { PreparedStatement } from '../../../platform/database/transactions.js';
import { clusterOf } from '../../reputation/evidence/evidence.sql.js';
import { AgentIndexThread } from '../agent-index/agent-index-thread.js';
import type { IndexQuery } from '../agent-index/index-messages.js';
import { refusedAgents } from '../agent-facts.sql.js';
import { integersIn } from '../array-texts.js';
import { similarityOf } from '../relevance/similar-briefs.js';
import { type Candidate, type CandidateQuery, type CandidateSearch, CandidateSource } from './candidate-source.js';
import { heaviestFirst } from './posting-lists.js';
import { SqlCandidateSource } from './sql-candidate-source.js';

/**
 * What is not looked for: the agents that the buyer of the task $1 may not hire for it (its own, those of its cluster or
 * wallet, and those that refused the task), and who has settled the task itself.
 */
const ASIDE: PreparedStatement = {
  name: 'match_aside_of_index',
  text: `WITH task AS MATERIALIZED (SELECT buyer_account_id AS buyer, buyer_wallet AS wallet FROM tasks WHERE id = $1)
    SELECT array_agg(number) AS agents, (SELECT number FROM match_briefs WHERE task_id = $1) AS brief FROM (
      SELECT number FROM agents WHERE account_id = (SELECT buyer FROM task)
      UNION SELECT number FROM agents WHERE account_id = ANY (ARRAY(
        SELECT account_id FROM account_clusters WHERE cluster_id = (SELECT ${clusterOf('buyer')} FROM task)))
      UNION SELECT number FROM agents WHERE wallet_address = (SELECT wallet FROM task)
      UNION SELECT number FROM agents WHERE id = ANY (ARRAY(${refusedAgents('$1')}))
    ) AS excluded`,
};

/** A row of `ASIDE`, as the text that Postgres sent. */
interface AsideRow {
  /** Array of Postgres, or null. */
  agents: string | null;
  brief: string | null;
}

/**
 * Candidates from the index in memory, with all that is said of them; everything is read from the database while the index
 * is not there. rule: docs/decisions/ranking.md#search-in-memory
 */
@Injectable()
export class MemoryCandidateSource extends CandidateSource {
  constructor(
    private readonly thread: AgentIndexThread,
    private readonly sql: SqlCandidateSource,
    private readonly reads: SearchConnections,
  ) {
    super();
  }

  override begin(taskId: string): CandidateSearch {
    const sinceMs = this.thread.look();
    const reading = this.reads.query<AsideRow>(ASIDE.name, ASIDE.text, [taskId]);
    // Whoever cannot tell what to search for never asks for this.
    reading.catch(() => undefined);
    return async (query) => this.candidates(query, sinceMs, (await reading)[0]);
  }

  private async candidates(query: CandidateQuery, sinceMs: number, aside?: AsideRow): Promise<Candidate[]> {
    if (query.terms.length === 0 && query.brief.length === 0) return [];
    const excluded = { agents: integersIn(aside?.agents ?? ''), brief: Number(aside?.brief ?? 0) };
    const agents = await this.thread.search(indexQueryOf(query, excluded), sinceMs);
    if (agents === null) return this.sql.begin()(query);
    const refusedIds = new Set(query.refusedAgents);
    // Field by field: objects that are spread are slow to make and to read, and there are a thousand.
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

/** A query as the index understands it. */
export function indexQueryOf(
  { terms, brief, anchored, at }: CandidateQuery,
  excluded: IndexQuery['excluded'],
): IndexQuery {
  return {
    terms: terms.map(({ termId, idf }) => ({ termId, weight: idf })),
    brief: heaviestFirst(brief),
    anchored,
    excluded,
    atMs: at.getTime(),
  };
}
