import { Injectable } from '@nestjs/common';
import { AgentSearchRows } from '../search-tables/agent-search-rows/agent-search-rows.js';
import { CandidateFacts } from './candidate-facts.js';
import {
  type Candidate,
  type CandidateQuery,
  type CandidateSearch,
  CandidateSource,
} from '../ranking/candidate-source.js';
import { PostingLists } from './posting-lists.js';

/** Candidates from the postings in the database. rule: docs/decisions/ranking.md#search-in-sql */
@Injectable()
export class SqlCandidateSource extends CandidateSource {
  constructor(
    private readonly lists: PostingLists,
    private readonly facts: CandidateFacts,
    private readonly rows: AgentSearchRows,
  ) {
    super();
  }

  override begin(): CandidateSearch {
    const reading = this.rows.pending();
    // Avoids an unhandled rejection when the caller never finishes the search.
    reading.catch(() => undefined);
    return (query) => this.candidates(query, reading);
  }

  private candidates(query: CandidateQuery, pending: Promise<ReadonlySet<number> | null>): Promise<Candidate[]> {
    if (query.terms.length === 0 && query.brief.length === 0) return Promise.resolve([]);
    const byText = this.lists.agents(query.terms);
    const settled = this.lists.briefs(query.brief).then((briefs) => this.facts.settled(query, briefs));
    return this.facts.bestCandidates(query, { byText, settled, pending });
  }
}
