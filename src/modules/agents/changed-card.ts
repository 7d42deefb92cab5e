import type { EntityManager } from 'typeorm';
import { recordEvents } from '../events/log/record-events.sql.js';
import { agentEvent } from './agent/agent-event.js';
import { AgentEntity } from './agent/agent.entity.js';
import { checkChangeable, lockOwned } from './locked-agent.js';

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
  change: CardChange,
  work: (agent: AgentEntity) => Promise<T>,
): Promise<T> {
  const agent = await lockOwned(manager, { id: change.accountId }, change.agentId);
  checkChangeable(agent);
  const done = await work(agent);
  await tellCardChanged(manager, change);
  return done;
}

/** Dates the agent's card anew, and tells its owner. Call it once the agent's row is locked. */
export async function tellCardChanged(
  manager: EntityManager,
  { accountId, agentId, at, changed }: CardChange,
): Promise<void> {
  await manager.update(AgentEntity, { id: agentId }, { updatedAt: at });
  await recordEvents(manager, [
    agentEvent('agent.updated', { id: agentId, accountId, updatedAt: at }, { changed: [changed] }),
  ]);
}
