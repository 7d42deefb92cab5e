import { GIVEN_BACK_STATES, LIVE_STATES, NodeState } from './node-states.js';
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
 * The root node that decides the status of a task; undefined when there is none. Children never decide. `nodes` are in
 * the order in which they were opened.
 *
 * The contract lets a buyer open several roots, also with old signatures, so the newest root is not always the right
 * one. Of the roots that hold money, the one paid last decides; if none holds money, the root paid last. The newest
 * root decides while it waits for its money only if that one gave its money back or no root was paid: the buyer hires
 * again.
 */
export function decidingRoot<N extends Pick<TreeNode, 'number' | 'parentNumber' | 'state' | 'fundedAt'>>(
  nodes: readonly N[],
): N | undefined {
  const roots = nodes.filter(({ parentNumber }) => parentNumber === 0);
  const paid = roots
    .flatMap((node) => (node.fundedAt === null ? [] : [{ node, at: node.fundedAt.at }]))
    .toSorted((one, other) => one.at - other.at || one.node.number - other.node.number)
    .map(({ node }) => node);
  const deciding = paid.findLast(({ state }) => LIVE_STATES.includes(state)) ?? paid.at(-1);
  const newest = roots.at(-1);
  const isHiredAgain =
    newest?.state === NodeState.Selected && (!deciding || GIVEN_BACK_STATES.includes(deciding.state));
  return isHiredAgain ? newest : deciding;
}

/**
 * The status that the chain gives a task.
 *
 * | deciding root node               | status      |
 * |----------------------------------|-------------|
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
 * The remaining statuses (`funding_pending`, `cancelled`, `expired`) are not facts of the chain and are never returned.
 */
export function taskStatusOf(projection: Pick<TreeProjection, 'created' | 'nodes'>): TaskStatus {
  const root = decidingRoot(projection.nodes);
  if (root !== undefined) return BY_ROOT_STATE[root.state];
  return projection.created === null ? 'draft' : 'open';
}
