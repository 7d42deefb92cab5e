import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../../platform/database/reads/read-connections.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { Principal } from '../../../platform/http/principal.js';
import { TaskAccess } from '../../tasks/visibility/task-access.js';
import { AgentRanking, MAX_RANKED } from '../ranking/agent-ranking.js';
import { CandidateFacts, factValues, wordValues } from '../sql-search/candidate-facts.js';
import { candidateOf } from '../sql-search/candidate-row.js';
import { ONE_CANDIDATE, type OneRow } from '../sql-search/candidates.sql.js';
import { PostingLists } from '../sql-search/posting-lists.js';
import { MatchExplanationDto, type MatchPageDto } from '../dto/match-explanation.dto.js';
import { type EligibilityFacts, type EligibilityRefusal, refusalsOf } from '../ranking/eligibility.js';
import type { CandidateQuery } from '../ranking/candidate-source.js';
import type { MatchQuery } from '../ranking/match-query.js';
import { similarityOf } from '../relevance/similar-briefs.js';
import { MatchPresenter } from './match-presenter.js';

/** Explains the place of one agent among the matches of a task, or why it is missing. */
@Injectable()
export class MatchExplanations {
  constructor(
    private readonly access: TaskAccess,
    private readonly ranking: AgentRanking,
    private readonly reads: ReadConnections,
    private readonly lists: PostingLists,
    private readonly facts: CandidateFacts,
    private readonly shown: MatchPresenter,
  ) {}

  /**
   * The page of one agent with its explanation, as of now.
   * @throws ApiError `not_found` for a task the caller may not see and for an agent that does not exist,
   *   `not_task_buyer` for a caller who is neither the task's buyer nor the agent's owner.
   */
  async explain({ accountId }: Pick<Principal, 'accountId'>, taskId: string, agentId: string): Promise<MatchPageDto> {
    const task = await this.access.find(accountId, taskId);
    const { context, matches } = await this.ranking.rankAgents(task, MAX_RANKED);
    const agent = await this.find(context, agentId);
    if (accountId !== task.buyerAccountId && accountId !== agent.ownerId) {
      throw new ApiError('not_task_buyer', 'Only the buyer of the task and the owner of the agent are told why.');
    }
    const match = matches.find(({ candidate }) => candidate.agentId === agentId);
    const data = await this.shown.present(match === undefined ? [] : [match], context);
    const explanation = MatchExplanationDto.from(agentId, match === undefined ? agent.refusals : [], match);
    return { data, next_page: null, explanation };
  }

  private async find(
    { query, words }: MatchQuery,
    agentId: string,
  ): Promise<{ ownerId: string; refusals: EligibilityRefusal[] }> {
    const values = [...factValues(query), agentId, ...wordValues(query), words.lexemes];
    const { name, text } = ONE_CANDIDATE;
    const [row] = await this.reads.query<OneRow>(name, text, values);
    if (row === undefined) throw new ApiError('not_found', 'There is no such agent.');
    const candidate = candidateOf(row, Number(row.common));
    const facts: EligibilityFacts = {
      ...candidate,
      // An agent whose texts have a word of the task has something in common with it already.
      similarity: candidate.relevance > 0 ? 0 : await this.similarity(query, candidate.agentNumber),
      status: row.status,
      available: row.available === 'true',
      refusedBefore: row.refused_before === 'true',
    };
    return { ownerId: facts.accountId, refusals: refusalsOf(facts, query.buyer) };
  }

  /** Similarity of the most similar brief that the agent has settled; 0 without one. */
  private async similarity(query: CandidateQuery, agentNumber: number): Promise<number> {
    const settled = await this.facts.settled(query, await this.lists.briefs(query.brief));
    return similarityOf(settled.get(agentNumber) ?? 0);
  }
}
