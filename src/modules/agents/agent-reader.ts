import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import type { AccountEntity } from '../accounts/account.entity.js';
import { ACTIVE_AGENTS, AGENT, OWNED_AGENT } from './agent/agent-rows.sql.js';
import type { AgentEntity } from './agent/agent.entity.js';

/** Finds agents, for modules that change none. */
@Injectable()
export class AgentReader {
  constructor(protected readonly transactions: Transactions) {}

  /** @throws ApiError `not_found` alike for an agent that does not exist and one of another account. */
  async findOwned(owner: Pick<AccountEntity, 'id'>, agentId: string): Promise<AgentEntity> {
    const [agent] = await OWNED_AGENT.find(this.transactions, [agentId, owner.id]);
    if (!agent) throw noSuchAgent();
    return agent;
  }

  /** The agent, whoever owns it, or null. */
  async findById(agentId: string): Promise<AgentEntity | null> {
    const [agent = null] = await AGENT.find(this.transactions, [agentId]);
    return agent;
  }

  /** The active agents of the account. */
  activeOf({ id }: Pick<AccountEntity, 'id'>): Promise<AgentEntity[]> {
    return ACTIVE_AGENTS.find(this.transactions, [id]);
  }

  /** The agent, whoever owns it and whatever its status. @throws ApiError `not_found`. */
  async get(agentId: string): Promise<AgentEntity> {
    const agent = await this.findById(agentId);
    if (!agent) throw noSuchAgent();
    return agent;
  }
}

/** The refusal of an agent that does not exist, and of one that the caller may not know. */
export function noSuchAgent(): ApiError {
  return new ApiError('not_found', 'There is no such agent.');
}

/**
 * The refusal of an offer whose agent the operator has suspended. An agent that is inactive stands by what it has signed;
 * a suspension ends that for as long as it lasts.
 */
export function agentSuspended(): ApiError {
  return new ApiError(
    'state_conflict',
    'The operator has suspended the agent of this quote.',
    'Take another quote, or ask for a new one.',
  );
}
