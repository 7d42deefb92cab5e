import type { EntityManager } from 'typeorm';
import { ApiError } from '../../platform/http/api-error.js';
import { recordEvents } from '../events/log/record-events.sql.js';
import { agentEvent } from './agent/agent-event.js';
import { AgentEntity } from './agent/agent.entity.js';
import { mayEdit } from './agent/agent.lifecycle.js';
import { noSuchAgent } from './agent-reader.js';

/** A change of what is shown of an agent beside its profile. */
export interface CardChange {
  readonly accountId: string;
  readonly agentId: string;
  readonly at: Date;
  /** What has changed, in the word that the event names it by. */
  readonly changed: 'endpoint' | 'identity';
}

/**
 * Locks the owner's agent, runs `work` on it, and tells of the change. @returns what `work` does.
 * @throws ApiError `not_found` alike for an agent that does not exist and one of another account, `state_conflict` for a
 *   retired one; what `work` throws.
 */
export async function changeCard<T>(
  manager: EntityManager,
  { accountId, agentId, at, changed }: CardChange,
  work: (agent: AgentEntity) => Promise<T>,
): Promise<T> {
  const where = { id: agentId, accountId };
  const agent = await manager.findOne(AgentEntity, { where, lock: { mode: 'pessimistic_write' } });
  if (!agent) throw noSuchAgent();
  checkChangeable(agent);
  const done = await work(agent);
  await manager.update(AgentEntity, { id: agentId }, { updatedAt: at });
  await recordEvents(manager, [
    agentEvent('agent.updated', { id: agentId, accountId, updatedAt: at }, { changed: [changed] }),
  ]);
  return done;
}

/** @throws ApiError `state_conflict` for a retired agent. */
export function checkChangeable({ status }: Pick<AgentEntity, 'status'>): void {
  if (!mayEdit(status)) throw new ApiError('state_conflict', 'The agent is retired: it changes no more.');
}
