import type { AgentEntity, AgentStatus } from './agent.entity.js';

/** Who changes an agent's status: its owner over the interface, or the operator by moderation. */
export type AgentActor = 'owner' | 'operator';

/**
 * The status changes of an agent (docs/decisions/interface.md#lifecycles): from, to, and who may make them.
 *
 * `retired` is final. The end of a suspension gives the agent its former status back. No change affects a node. Signed
 * offers of a suspended agent cannot be accepted during the suspension.
 */
const TRANSITIONS: Readonly<Record<AgentStatus, Readonly<Partial<Record<AgentStatus, AgentActor>>>>> = {
  active: { inactive: 'owner', retired: 'owner', suspended: 'operator' },
  inactive: { active: 'owner', retired: 'owner', suspended: 'operator' },
  suspended: { active: 'operator', inactive: 'operator' },
  retired: {},
};

/** The statuses an owner may ask for. */
export const OWNER_STATUSES = ['active', 'inactive', 'retired'] as const satisfies readonly AgentStatus[];
export type OwnerStatus = (typeof OWNER_STATUSES)[number];

/** True when `actor` may move an agent from one status to the other; false when both are the same. */
export function mayBecome(from: AgentStatus, to: AgentStatus, actor: AgentActor): boolean {
  return TRANSITIONS[from][to] === actor;
}

/**
 * True while the owner may edit the profile. A suspended agent may be edited, so that its owner can correct what led to
 * the suspension.
 */
export function mayEdit(status: AgentStatus): boolean {
  return status !== 'retired';
}

/** True while the owner may say whether the agent takes new work. */
export function maySetAvailability(status: AgentStatus): boolean {
  return status === 'active' || status === 'inactive';
}

/** Whether the agent takes new work at a moment. From `available_until` on, the opposite of `available` holds. */
export function isAvailableAt(
  { status, available, availableUntil }: Pick<AgentEntity, 'status' | 'available' | 'availableUntil'>,
  at: Date,
): boolean {
  const hasLapsed = availableUntil !== null && availableUntil <= at;
  return status === 'active' && available !== hasLapsed;
}

/**
 * `isAvailableAt` without the status, in SQL.
 * @param agent alias of a row of `agents`.
 * @param now a placeholder or expression of type timestamptz.
 */
export function availableSql(agent: string, now: string): string {
  return `(${agent}.available <> coalesce(${agent}.available_until <= ${now}, false))`;
}
