import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { AgentEntity } from '../agents/agent.entity.js';
import { AgentsService } from '../agents/agents.service.js';

/** Which agent makes an offer. */
@Injectable()
export class QuotingAgent {
  constructor(
    private readonly transactions: Transactions,
    private readonly agents: AgentsService,
  ) {}

  /**
   * The named agent of the account, or its only active one. Whether it takes new work does not matter: its owner speaks.
   * @throws ApiError `not_found` for an agent of somebody else, `state_conflict` when it is not active or there is none,
   * `invalid_body` when several could be meant.
   */
  async find(accountId: string, agentId: string | undefined): Promise<AgentEntity> {
    if (agentId === undefined) return this.onlyOne(accountId);
    const agent = await this.agents.findOwned({ id: accountId }, agentId);
    if (agent.status !== 'active') throw new ApiError('state_conflict', 'The agent is not active.');
    return agent;
  }

  private async onlyOne(accountId: string): Promise<AgentEntity> {
    const where = { accountId, status: 'active' as const };
    const [agent, another] = await this.transactions.manager.find(AgentEntity, { where, take: 2 });
    if (agent === undefined) {
      throw new ApiError('state_conflict', 'The account has no active agent.', 'Publish an agent first.');
    }
    if (another !== undefined) {
      throw new ApiError('invalid_body', 'The account has several active agents: agent_id says which one offers.');
    }
    return agent;
  }
}
