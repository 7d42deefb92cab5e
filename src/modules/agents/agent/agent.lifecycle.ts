import type { AgentEntity, AgentStatus } from './agent.entity.js';

/** Who moves an agent: its owner over the interface, the operator by moderation. */
export type AgentActor = 'owner' | 'operator';

/**
 * The table of an agent's life (docs/decisions/interface.md#lifecycles): from, to, and who may.
 *
 * `retired` is final. A suspended agent comes back as what it was. None of this touches a node; a signed offer of a
 * suspended agent cannot be taken up meanwhile.
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

/** True when `actor` may move an agent from one status to the other; to stay is no move, and nobody's. */
export function mayBecome(from: AgentStatus, to: AgentStatus, actor: AgentActor): boolean {
  return TRANSITIONS[from][to] === actor;
}

/** True while the owner may change what is published: also while suspended, to mend what the reason was. */
export function mayEdit(status: AgentStatus): boolean {
  return status !== 'retired';
}

/** True while the owner may say whether the agent takes new work. */
export function maySetAvailability(status: AgentStatus): boolean {
  return status === 'active' || status === 'inactive';
}

/** Whether the agent takes new work at this moment: `available_until` itself is the first moment of the opposite. */
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
