import { Injectable } from '@nestjs/common';
import { AgentIndexThread } from '../agent-index/agent-index-thread.js';
import type { DocumentSum } from '../agent-index/best-sums.js';
import type { IndexQuery } from '../agent-index/index-messages.js';
import { CandidateFacts } from './candidate-facts.js';
import { type Candidate, type CandidateQuery, CandidateSource } from './candidate-source.js';
import { heaviestFirst } from './posting-lists.js';
import { SqlCandidateSource } from './sql-candidate-source.js';

/**
 * Candidates from the index in memory; what is said of those that it found is read from the database, as are all of them
 * while the index is not there. rule: design/ranking.md §5.2
 */
@Injectable()
export class MemoryCandidateSource extends CandidateSource {
  constructor(
    private readonly thread: AgentIndexThread,
    private readonly facts: CandidateFacts,
    private readonly sql: SqlCandidateSource,
  ) {
    super();
  }

  override async candidates(query: CandidateQuery): Promise<Candidate[]> {
    if (query.terms.length === 0 && query.brief.length === 0) return [];
    const found = await this.thread.search(indexQueryOf(query));
    if (found === null) return this.sql.candidates(query);
    const [numbers, products] = columnsOf(found.briefs);
    const settled = await this.facts.settled(query, { numbers, products });
    const relevances = new Map(found.agents.map(({ document, sum }) => [document, sum]));
    const byText = [...relevances.keys()];
    return this.facts.of(query, { byText: (count) => byText.slice(0, count), relevances, settled });
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

function columnsOf(found: readonly DocumentSum[]): [number[], number[]] {
  return [found.map(({ document }) => document), found.map(({ sum }) => sum)];
}
