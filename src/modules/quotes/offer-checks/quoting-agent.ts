import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { AgentEntity } from '../../agents/agent/agent.entity.js';
import { AgentsService } from '../../agents/agents.service.js';
import type { AccountEntity } from '../../accounts/account.entity.js';
import { AgentRanking, MAX_RANKED } from '../../matching/ranking/agent-ranking.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';

/** Who offers; without a wallet no agent is told from another by it. */
export type QuotingAccount = Pick<AccountEntity, 'id'> & Partial<Pick<AccountEntity, 'walletAddress'>>;

/** Which agent makes an offer. */
@Injectable()
export class QuotingAgent {
  constructor(
    private readonly transactions: Transactions,
    private readonly agents: AgentsService,
    private readonly ranking: AgentRanking,
  ) {}

  /**
   * The named agent of the account, else its only active one; of several the one that works with the caller's wallet, else
   * the one with the highest score in the task's match list. Whether it takes new work does not matter: its owner speaks.
   * @throws ApiError `not_found` for an agent of somebody else, `state_conflict` when it is not active or there is none,
   * `invalid_body` when two are equally good.
   */
  async find(account: QuotingAccount, agentId: string | undefined, task: TaskEntity): Promise<AgentEntity> {
    if (agentId === undefined) return this.unnamed(account, task);
    const agent = await this.agents.findOwned({ id: account.id }, agentId);
    if (agent.status !== 'active') throw new ApiError('state_conflict', 'The agent is not active.');
    return agent;
  }

  private async unnamed({ id: accountId, walletAddress }: QuotingAccount, task: TaskEntity): Promise<AgentEntity> {
    const where = { accountId, status: 'active' as const };
    const agents = await this.transactions.manager.find(AgentEntity, { where });
    const ofWallet = agents.filter((agent) => agent.walletAddress.toLowerCase() === walletAddress?.toLowerCase());
    const meant = ofWallet.length === 0 ? agents : ofWallet;
    const [agent, another] = meant;
    if (agent === undefined) {
      throw new ApiError('state_conflict', 'The account has no active agent.', 'Publish an agent first.');
    }
    return another === undefined ? agent : this.bestMatched(meant, task);
  }

  private async bestMatched(agents: readonly AgentEntity[], task: TaskEntity): Promise<AgentEntity> {
    const { matches } = await this.ranking.rankAgents(task, MAX_RANKED);
    const scores = new Map(matches.map(({ candidate, score }) => [candidate.agentId, score]));
    const scoreOf = ({ id }: AgentEntity): number => scores.get(id) ?? -1;
    const [best, next] = agents.toSorted((one, other) => scoreOf(other) - scoreOf(one));
    if (best !== undefined && (next === undefined || scoreOf(best) > scoreOf(next))) return best;
    throw new ApiError(
      'invalid_body',
      'The account has several active agents that fit this task equally: agent_id says which one offers.',
    );
  }
}
