import { Injectable } from '@nestjs/common';
import { type Candidate, CandidateSource } from './candidate-source.js';
import { isEligible } from './eligibility.js';
import { type MatchQuery, MatchQueries, type TaskToMatch } from './match-query.js';
import { type RankedCandidate, RankedPlaces } from './rank.js';

/** Rows of a ranking. rule: docs/decisions/ranking.md#stable-pages */
export const MAX_RANKED = 1_000;

/** An agent on its place in a ranking. */
export type RankedMatch = RankedCandidate<Candidate>;

/** A ranking, and what it was made with. */
export interface Ranking {
  context: MatchQuery;
  places: RankedPlaces<Candidate>;
}

/** Which agents a task is for: all of it is behind `rankAgents`. What is on the market changes with time alone. */
@Injectable()
export class AgentRanking {
  constructor(
    private readonly queries: MatchQueries,
    private readonly source: CandidateSource,
  ) {}

  /** The eligible agents for a task, the best first, at most `limit` of them, on the places that rank.ts gives them. */
  async rankAgents(task: TaskToMatch, limit: number): Promise<{ context: MatchQuery; matches: RankedMatch[] }> {
    const ranking = this.begin();
    const { context, places } = await ranking(await this.queries.of(task));
    return { context, matches: places.first(limit) };
  }

  /** The same, begun while it is still read what the agents are looked for by, and whether the caller may see the task at all. */
  begin(): (context: MatchQuery) => Promise<Ranking> {
    const search = this.source.begin();
    return async (context) => {
      const { buyer, shownAgents } = context.query;
      const candidates = await search(context.query);
      // To look again must not change the places.
      for (const candidate of candidates) if (shownAgents.has(candidate.agentId)) candidate.impressions -= 1;
      const eligible = candidates.filter((candidate) => isEligible(candidate, buyer));
      return { context, places: new RankedPlaces(eligible) };
    };
  }
}
