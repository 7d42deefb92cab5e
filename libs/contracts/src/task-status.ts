import { NodeState } from './node-states.js';
import type { TreeProjection } from './tree-projection.js';

/** `Task.status` of the interface (design/interface.md §2). */
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

const BY_ROOT_STATE: Record<NodeState, TaskStatus> = {
  [NodeState.None]: 'open',
  [NodeState.Selected]: 'selected',
  [NodeState.Funded]: 'funded',
  [NodeState.Delivered]: 'delivered',
  [NodeState.Rejected]: 'rejected',
  [NodeState.Disputed]: 'disputed',
  [NodeState.Settled]: 'resolved',
  [NodeState.Refunded]: 'refunded',
  [NodeState.Abandoned]: 'refunded',
};

/**
 * The status that the chain gives a task.
 *
 * | newest root node                | status      |
 * |---------------------------------|-------------|
 * | none, `create_task` not on chain | `draft`     |
 * | none, `create_task` on chain     | `open`      |
 * | Selected                         | `selected`  |
 * | Funded (being worked on)         | `funded`    |
 * | Delivered                        | `delivered` |
 * | Rejected                         | `rejected`  |
 * | Disputed                         | `disputed`  |
 * | Settled                          | `resolved`  |
 * | Refunded, Abandoned              | `refunded`  |
 *
 * A buyer who hires again after a refund opens a new root node, which then decides. Children never do. The remaining
 * statuses (`funding_pending`, `cancelled`, `expired`) are not facts of the chain and never come out of it.
 */
export function taskStatusOf(projection: Pick<TreeProjection, 'created' | 'nodes'>): TaskStatus {
  const root = projection.nodes.findLast(({ parentNumber }) => parentNumber === 0);
  if (root !== undefined) return BY_ROOT_STATE[root.state];
  return projection.created === null ? 'draft' : 'open';
}
