import { isRootPath } from '#libs/kernel';
import { LIVE_STATES, NodeState } from './node-states.js';
import type { TreeNode, TreeProjection } from './tree-projection.types.js';

/** `Task.status` of the interface (docs/decisions/interface.md#lifecycles). */
export type TaskStatus =
  | 'draft'
  | 'open'
  | 'selected'
  | 'funding_pending'
  | 'funded'
  | 'delivered'
  | 'rejected'
  | 'disputed'
  | 'resolved'
  | 'refunded'
  | 'cancelled'
  | 'expired';

const BY_ROOT_STATE: Record<NodeState, TaskStatus | null> = {
  [NodeState.None]: null,
  [NodeState.Funded]: 'funded',
  [NodeState.Delivered]: 'delivered',
  [NodeState.Rejected]: 'rejected',
  [NodeState.Disputed]: 'disputed',
  [NodeState.Settled]: 'resolved',
  [NodeState.Refunded]: 'refunded',
  [NodeState.Abandoned]: 'refunded',
};

/**
 * The root node that decides the status of a task; undefined when there is none. Children never decide. `nodes` are in
 * the order in which they were funded.
 *
 * The contract lets a buyer fund several roots, so the newest one is not always the right one. Of the roots that hold
 * money, the one paid last decides; if none holds money, the root paid last.
 */
export function decidingRoot<N extends Pick<TreeNode, 'path' | 'state'>>(nodes: readonly N[]): N | undefined {
  const roots = nodes.filter(({ path }) => isRootPath(path));
  return roots.findLast(({ state }) => LIVE_STATES.includes(state)) ?? roots.at(-1);
}

/**
 * The status that the chain gives a task; null while no root was funded. Until then, and when the buyer hires again after
 * a refund, the task is `draft`, `open` or `selected` by signatures that the chain does not see.
 *
 * | deciding root node         | status      |
 * |----------------------------|-------------|
 * | none                       | –           |
 * | Funded (being worked on)   | `funded`    |
 * | Delivered                  | `delivered` |
 * | Rejected                   | `rejected`  |
 * | Disputed                   | `disputed`  |
 * | Settled                    | `resolved`  |
 * | Refunded, Abandoned        | `refunded`  |
 *
 * The remaining statuses (`funding_pending`, `cancelled`, `expired`) are not facts of the chain and are never returned.
 */
export function taskStatusOf({ nodes }: Pick<TreeProjection, 'nodes'>): TaskStatus | null {
  const root = decidingRoot(nodes);
  return root === undefined ? null : BY_ROOT_STATE[root.state];
}
