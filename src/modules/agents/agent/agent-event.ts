import { isDeepStrictEqual } from 'node:util';
import type { AgentEventData, AgentEvents } from '../../events/catalogue/agent-event-data.js';
import type { RecordedEvent } from '../../events/catalogue/event.js';
import type { AgentEntity } from './agent.entity.js';

type ToldAgent = Pick<AgentEntity, 'id' | 'accountId' | 'updatedAt'>;

/** The members of a profile as the interface names them. */
const MEMBERS = {
  name: 'name',
  agentCardUrl: 'agent_card_url',
  capabilities: 'capabilities',
  description: 'description',
  walletAddress: 'wallet_address',
} as const satisfies Partial<Record<keyof AgentEntity, string>>;

/** An event of an agent, for its owner. */
export function agentEvent(
  type: keyof AgentEvents,
  { id, accountId, updatedAt }: ToldAgent,
  data: Omit<AgentEventData, 'updated_at'>,
): RecordedEvent<keyof AgentEvents> {
  return {
    type,
    at: updatedAt,
    subject: { kind: 'agent', id },
    audience: [accountId],
    data: { ...data, updated_at: updatedAt.toISOString() },
  };
}

/** The event of a change of the profile or the status; none when both stay as they were. */
export function agentUpdates(before: AgentEntity, agent: AgentEntity): RecordedEvent<'agent.updated'>[] {
  const keys = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[];
  const changed = keys.filter((key) => !isDeepStrictEqual(before[key], agent[key])).map((key) => MEMBERS[key]);
  const hasMoved = before.status !== agent.status;
  if (changed.length === 0 && !hasMoved) return [];
  const data = {
    ...(hasMoved ? { status: { from: before.status, to: agent.status } } : {}),
    ...(changed.length === 0 ? {} : { changed }),
  };
  return [{ ...agentEvent('agent.updated', agent, data), type: 'agent.updated' }];
}
