import { NodeState, type WireNodeState, wireNodeState } from './node-states.js';
import type { TreeNode } from './tree-projection.types.js';

type Clocked = Pick<TreeNode, 'state' | 'clock'>;
type Backed = Clocked & Pick<TreeNode, 'number' | 'parentNumber' | 'hirerFunded'>;

/**
 * The state that time has decided, whether or not anybody has written it down
 * (docs/decisions/escrow.md#states-of-a-node): past its clock a Delivered or Disputed node is Settled, a Rejected one
 * Refunded. The holder of a right may use it while `nowSeconds <= clock`. Throws nothing; `nowSeconds` is unix seconds.
 */
export function effectiveState({ state, clock }: Clocked, nowSeconds: number): NodeState {
  if (nowSeconds <= clock) return state;
  switch (state) {
    case NodeState.Delivered:
    case NodeState.Disputed:
      return NodeState.Settled;
    case NodeState.Rejected:
      return NodeState.Refunded;
    case NodeState.None:
    case NodeState.Selected:
    case NodeState.Funded:
    case NodeState.Settled:
    case NodeState.Refunded:
    case NodeState.Abandoned:
      return state;
  }
}

/** The interface's name of the node's stored state; `null` while it waits for its money. */
export function wireState({ state }: Pick<TreeNode, 'state'>): WireNodeState | null {
  return wireNodeState(state);
}

/**
 * The nodes out of whose money the node is paid, nearest first, up to the first hirer-funded one; none for a node that
 * is hirer-funded itself. Throws RangeError when `nodes` lacks one of them.
 */
export function backersOf<N extends Backed>(nodes: readonly N[], node: N): N[] {
  return backersAmong((parentNumber) => nodes.find(({ number }) => number === parentNumber), node);
}

/** As `backersOf`, for callers that ask about many nodes of one tree: `find` returns the node with a number. */
export function backersAmong<N extends Backed>(find: (number: number) => N | undefined, node: N): N[] {
  const backers: N[] = [];
  for (let child = node; !child.hirerFunded;) {
    const parent = find(child.parentNumber);
    if (parent === undefined || backers.includes(parent)) throw new RangeError(`No backer of node ${child.number}`);
    backers.push(parent);
    child = parent;
  }
  return backers;
}

/** True when money that backs the node has gone back to a hirer above it: the node can neither deliver nor be paid. */
export function isClosedByAncestor<N extends Backed>(nodes: readonly N[], node: N, nowSeconds: number): boolean {
  return backersOf(nodes, node).some((backer) => {
    const state = effectiveState(backer, nowSeconds);
    return state === NodeState.Refunded || state === NodeState.Abandoned;
  });
}

/**
 * Base units that the node's worker could withdraw at that time (docs/decisions/escrow.md#money-of-nested-nodes): its
 * own share, once the node and all its backers are settled, also if only time has settled them; 0 before. Where a
 * ruling lapsed, it uses the share that the contract would write.
 */
export function withdrawableOf(nodes: readonly TreeNode[], node: TreeNode, nowSeconds: number): bigint {
  if (effectiveState(node, nowSeconds) !== NodeState.Settled) return 0n;
  const unsettled = backersOf(nodes, node).some((b) => effectiveState(b, nowSeconds) !== NodeState.Settled);
  if (unsettled) return 0n;
  return (node.state === NodeState.Disputed ? lapsedShare(node) : node.pool) - node.allocated;
}

/**
 * Base units that stay with the worker and the children when the arbiter is silent: half of the pool rounded down, but
 * at least what is allocated to the children.
 */
export function lapsedShare({ pool, allocated }: Pick<TreeNode, 'pool' | 'allocated'>): bigint {
  const half = pool / 2n;
  return half < allocated ? allocated : half;
}
