import { type EntityManager, In } from 'typeorm';
import { ApiError } from '../../platform/http/api-error.js';
import type { AccountEntity } from '../accounts/account.entity.js';
import { AgentEntity } from './agent/agent.entity.js';
import { mayEdit } from './agent/agent.lifecycle.js';
import { noSuchAgent } from './agent-reader.js';

const lock = { mode: 'pessimistic_write' } as const;

/**
 * Locks the row of the owner's agent, so that concurrent writers do not overwrite each other's change.
 * @throws ApiError `not_found` alike for an agent that does not exist and one of another account.
 */
export async function lockOwned(
  manager: EntityManager,
  owner: Pick<AccountEntity, 'id'>,
  agentId: string,
): Promise<AgentEntity> {
  const agent = await manager.findOne(AgentEntity, { where: { id: agentId, accountId: owner.id }, lock });
  if (!agent) throw noSuchAgent();
  return agent;
}

/** Locks the rows of these agents, whoever owns them, in the order of their ids: so no two such locks wait for each other. */
export function lockAgents(manager: EntityManager, ids: readonly string[]): Promise<AgentEntity[]> {
  return manager.find(AgentEntity, { where: { id: In([...ids]) }, order: { id: 'ASC' }, lock });
}

/** @throws ApiError `state_conflict` for a retired agent. */
export function checkChangeable({ status }: Pick<AgentEntity, 'status'>): void {
  if (!mayEdit(status)) throw new ApiError('state_conflict', 'The agent is retired: it changes no more.');
}
