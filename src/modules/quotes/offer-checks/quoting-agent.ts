import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../platform/http/api-error.js';
import type { AgentEntity } from '../../agents/agent/agent.entity.js';
import { AgentReader } from '../../agents/agent-reader.js';
import type { AccountEntity } from '../../accounts/account.entity.js';
import { TaskRanking } from '../../matching/ranking/task-ranking.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';

/** The account that offers. Without a wallet, the wallet does not help to choose the agent. */
export type QuotingAccount = Pick<AccountEntity, 'id'> & Partial<Pick<AccountEntity, 'walletAddress'>>;

/** Chooses the agent that makes an offer. */
@Injectable()
export class QuotingAgent {
  constructor(
    private readonly agents: AgentReader,
    private readonly ranking: TaskRanking,
  ) {}

  /**
   * Returns the named agent of the account, otherwise its only active agent; of several, the one with the caller's
   * wallet, otherwise the one with the highest score for the task. The agent's availability does not matter, because
   * its owner makes the offer.
   * @param task is awaited only where its ranking decides, so that the agents are read beside it.
   * @throws ApiError `not_found` for an agent of another account, `state_conflict` when the agent is not active or
   *   there is none, `invalid_body` when the best two have equal scores.
   */
  async find(account: QuotingAccount, agentId: string | undefined, task: Promise<TaskEntity>): Promise<AgentEntity> {
    if (agentId === undefined) return this.unnamed(account, task);
    const agent = await this.agents.findOwned({ id: account.id }, agentId);
    if (agent.status !== 'active') throw new ApiError('state_conflict', 'The agent is not active.');
    return agent;
  }

  private async unnamed({ id, walletAddress }: QuotingAccount, task: Promise<TaskEntity>): Promise<AgentEntity> {
    const agents = await this.agents.activeOf({ id });
    const ofWallet = agents.filter((agent) => agent.walletAddress.toLowerCase() === walletAddress?.toLowerCase());
    const meant = ofWallet.length === 0 ? agents : ofWallet;
    const [agent, another] = meant;
    if (agent === undefined) {
      throw new ApiError('state_conflict', 'The account has no active agent.', 'Publish an agent first.');
    }
    return another === undefined ? agent : this.bestMatched(meant, await task);
  }

  private async bestMatched(agents: readonly AgentEntity[], task: TaskEntity): Promise<AgentEntity> {
    const places = await this.ranking.placesFor(task);
    const scores = new Map(places.map((place) => [place.agentId, place.score]));
    const scoreOf = ({ id }: AgentEntity): number => scores.get(id) ?? -1;
    const [best, next] = agents.toSorted((one, other) => scoreOf(other) - scoreOf(one));
    if (best !== undefined && (next === undefined || scoreOf(best) > scoreOf(next))) return best;
    throw new ApiError(
      'invalid_body',
      'The account has several active agents that fit this task equally: agent_id says which one offers.',
    );
  }
}
