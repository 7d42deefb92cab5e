import { Injectable } from '@nestjs/common';
import { CandidateFacts } from './candidate-facts.js';
import { type Candidate, type CandidateQuery, type CandidateSearch, CandidateSource } from './candidate-source.js';
import { PostingLists } from './posting-lists.js';

/** Candidates from the postings in the database. rule: design/ranking.md §5.1 */
@Injectable()
export class SqlCandidateSource extends CandidateSource {
  constructor(
    private readonly lists: PostingLists,
    private readonly facts: CandidateFacts,
  ) {
    super();
  }

  override begin(): CandidateSearch {
    return (query) => this.candidates(query);
  }

  async candidates(query: CandidateQuery): Promise<Candidate[]> {
    if (query.terms.length === 0 && query.brief.length === 0) return [];
    const [agents, settled] = await Promise.all([
      this.lists.agents(query.terms),
      this.lists.briefs(query.brief).then((numbers) => this.facts.settled(query, { numbers, products: [] })),
    ]);
    return this.facts.of(query, { byText: (count) => agents.best(count), settled });
  }
}
