import type { EntityManager } from 'typeorm';
import { Transactions } from '../../platform/database/transactions.js';
import { recordEvents } from '../events/log/record-events.sql.js';
import { DomainEvents } from '../events/domain-events.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import { AuditLog } from '../accounts/audit/audit-log.js';
import { agentUpdates } from './agent/agent-event.js';
import { AgentEntity } from './agent/agent.entity.js';
import { mayBecome } from './agent/agent.lifecycle.js';

/** Suspends agents for the operator and ends suspensions. Nodes and money of an agent stay as they are. */
export class AgentModeration {
  /** @param events with the handlers of matching registered, so that searches see the change at once. */
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly events: DomainEvents,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Suspends an active or inactive agent: it appears in no list and no match, makes no offers, and its offers cannot be
   * accepted.
   * @param reason shown to the owner, in their activity and with the agent; empty for none.
   * @throws ApiError `not_found`, or `state_conflict` for an agent that is suspended or retired.
   */
  suspend(agentId: string, reason: string): Promise<AgentEntity> {
    return this.transactions.run(async (manager) => {
      const agent = await lockAgent(manager, agentId);
      const { status } = agent;
      if ((status !== 'active' && status !== 'inactive') || !mayBecome(status, 'suspended', 'operator')) {
        throw new ApiError('state_conflict', `The agent is ${status}.`);
      }
      const change = { status: 'suspended', suspendedFrom: status, suspensionReason: reason } as const;
      return this.write(manager, agent, change, 'agent_suspended', reason);
    });
  }

  /**
   * Ends a suspension: the agent gets its former status back. What its owner has edited meanwhile stays.
   * @throws ApiError `not_found`, or `state_conflict` for an agent that is not suspended.
   */
  resume(agentId: string, reason: string): Promise<AgentEntity> {
    return this.transactions.run(async (manager) => {
      const agent = await lockAgent(manager, agentId);
      const to = agent.suspendedFrom ?? 'inactive';
      if (!mayBecome(agent.status, to, 'operator')) {
        throw new ApiError('state_conflict', 'The agent is not suspended.');
      }
      const change = { status: to, suspendedFrom: null, suspensionReason: null };
      return this.write(manager, agent, change, 'agent_resumed', reason);
    });
  }

  private async write(
    manager: EntityManager,
    agent: AgentEntity,
    change: Pick<AgentEntity, 'status' | 'suspendedFrom' | 'suspensionReason'>,
    event: 'agent_suspended' | 'agent_resumed',
    reason: string,
  ): Promise<AgentEntity> {
    const { id: agentId, accountId, name } = agent;
    const before = Object.assign(new AgentEntity(), agent);
    const row = { ...change, updatedAt: this.clock.now() };
    await manager.update(AgentEntity, { id: agentId }, row);
    await this.events.publish(manager, { type: 'agent_changed', agentId, isFoundAnew: true, hasNewWallet: false });
    const changed = Object.assign(agent, row);
    await recordEvents(manager, agentUpdates(before, changed));
    const detail = { by: 'operator', agent_id: agentId, name, reason };
    await this.audit.record({ event, requestId: null, accountId, detail });
    return changed;
  }
}

/** Locks the agent's row, because its owner may change the agent at the same moment. */
async function lockAgent(manager: EntityManager, agentId: string): Promise<AgentEntity> {
  const agent = await manager.findOne(AgentEntity, { where: { id: agentId }, lock: { mode: 'pessimistic_write' } });
  if (!agent) throw new ApiError('not_found', `There is no agent "${agentId}".`);
  return agent;
}
