import { Injectable } from '@nestjs/common';
import { TEXT_CANDIDATES } from '../matching-limits.js';
import { CandidateFacts } from './candidate-facts.js';
import { type Candidate, type CandidateQuery, CandidateSource } from './candidate-source.js';
import { PostingLists } from './posting-lists.js';

/** Agents that are asked for first: enough unless half of them may not be hired. (policy) */
const ASKED_FIRST = 2 * TEXT_CANDIDATES;

/** Candidates from the postings in the database. rule: design/ranking.md §5.1 */
@Injectable()
export class SqlCandidateSource extends CandidateSource {
  constructor(
    private readonly lists: PostingLists,
    private readonly facts: CandidateFacts,
  ) {
    super();
  }

  override async candidates(query: CandidateQuery): Promise<Candidate[]> {
    if (query.terms.length === 0 && query.brief.length === 0) return [];
    const [agents, settled] = await Promise.all([
      this.lists.agents(query.terms),
      this.lists.briefs(query.brief).then((numbers) => this.facts.settled(query, { numbers, products: [] })),
    ]);
    const first = agents.best(ASKED_FIRST);
    const some = await this.facts.of(query, { byText: first, relevances: [], settled });
    const asked = new Set(first);
    const found = some.filter(({ agentNumber }) => asked.has(agentNumber)).length;
    if (found >= TEXT_CANDIDATES || agents.size === first.length) return some;
    return this.facts.of(query, { byText: agents.best(agents.size), relevances: [], settled });
  }
}
