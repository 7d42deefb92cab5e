import { Injectable } from '@nestjs/common';
import { type Candidate, CandidateSource } from './candidate-source.js';
import { isEligible } from './eligibility.js';
import { type MatchQuery, MatchQueries, type TaskToMatch } from './match-query.js';
import { type RankedCandidate, RankedPlaces } from './rank.js';
import { type AgentPlace, TaskRanking } from './task-ranking.js';

/** Most rows of a ranking. rule: docs/decisions/ranking.md#stable-pages */
export const MAX_RANKED = 1_000;

/** An agent with its place in a ranking. */
export type RankedMatch = RankedCandidate<Candidate>;

/** A ranking, and the query that it answers. */
export interface Ranking {
  context: MatchQuery;
  places: RankedPlaces<Candidate>;
}

/** Ranks the eligible agents for a task. */
@Injectable()
export class AgentRanking extends TaskRanking {
  constructor(
    private readonly queries: MatchQueries,
    private readonly source: CandidateSource,
  ) {
    super();
  }

  override async placesFor(task: TaskToMatch): Promise<AgentPlace[]> {
    const { matches } = await this.rankAgents(task, MAX_RANKED);
    return matches.map(({ candidate: { agentId, accountId }, rank, score }) => ({ agentId, accountId, rank, score }));
  }

  /** Returns at most `limit` eligible agents for a task, best first, with the places of rank.ts. */
  async rankAgents(task: TaskToMatch, limit: number): Promise<{ context: MatchQuery; matches: RankedMatch[] }> {
    const ranking = this.begin();
    const { context, places } = await ranking(await this.queries.queryFor(task));
    return { context, matches: places.first(limit) };
  }

  /**
   * Starts a ranking before its query is known. Call the returned function with the query to get the ranking. The index
   * can meanwhile read its changes, while the caller reads the task and checks that it may be seen.
   */
  begin(): (context: MatchQuery) => Promise<Ranking> {
    const search = this.source.begin();
    return async (context) => {
      const { buyer, shownAgents } = context.query;
      const candidates = await search(context.query);
      // An agent already counted for this task is ranked without that impression, so that opening the page again does
      // not change the places.
      for (const candidate of candidates) if (shownAgents.has(candidate.agentId)) candidate.impressions -= 1;
      const eligible = candidates.filter((candidate) => isEligible(candidate, buyer));
      return { context, places: new RankedPlaces(eligible) };
    };
  }
}
