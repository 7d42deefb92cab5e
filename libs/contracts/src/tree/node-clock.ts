import { parentPath } from '#libs/kernel';
import { NodeState, type WireNodeState, wireNodeState } from './node-states.js';
import type { TreeNode } from './tree-projection.types.js';

type Clocked = Pick<TreeNode, 'state' | 'clock' | 'floor'>;
type Backed = Clocked & Pick<TreeNode, 'path' | 'hirerFunded'>;

/**
 * The state that time has decided, whether or not anybody has written it down
 * (docs/decisions/escrow.md#states-of-a-node): past its clock a Delivered node is Settled, a Rejected one Refunded, and a
 * Disputed one gives the worker its floor, so that it is Refunded where that is nothing. The holder of a right may use it
 * while `nowSeconds <= clock`. Throws nothing; `nowSeconds` is unix seconds.
 */
export function effectiveState({ state, clock, floor }: Clocked, nowSeconds: number): NodeState {
  if (nowSeconds <= clock) return state;
  switch (state) {
    case NodeState.Delivered:
      return NodeState.Settled;
    case NodeState.Disputed:
      return floor > 0n ? NodeState.Settled : NodeState.Refunded;
    case NodeState.Rejected:
      return NodeState.Refunded;
    case NodeState.None:
    case NodeState.Funded:
    case NodeState.Settled:
    case NodeState.Refunded:
    case NodeState.Abandoned:
      return state;
  }
}

/** The interface's name of the node's stored state; `null` where there is no node. */
export function wireState({ state }: Pick<TreeNode, 'state'>): WireNodeState | null {
  return wireNodeState(state);
}

/**
 * The nodes out of whose money the node is paid, nearest first, up to the first hirer-funded one; none for a node that
 * is hirer-funded itself. Throws RangeError when `nodes` lacks one of them.
 */
export function backersOf<N extends Backed>(nodes: readonly N[], node: N): N[] {
  return backersAmong((wanted) => nodes.find(({ path }) => path === wanted), node);
}

/** As `backersOf`, for callers that ask about many nodes of one tree: `find` returns the node with a path. */
export function backersAmong<N extends Backed>(find: (path: bigint) => N | undefined, node: N): N[] {
  const backers: N[] = [];
  for (let child = node; !child.hirerFunded;) {
    const parent = find(parentPath(child.path));
    if (parent === undefined) throw new RangeError(`No backer of node ${child.path}`);
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
 * ruling lapsed, the worker's side has the floor.
 */
export function withdrawableOf(nodes: readonly TreeNode[], node: TreeNode, nowSeconds: number): bigint {
  if (effectiveState(node, nowSeconds) !== NodeState.Settled) return 0n;
  const unsettled = backersOf(nodes, node).some((b) => effectiveState(b, nowSeconds) !== NodeState.Settled);
  if (unsettled) return 0n;
  return (node.state === NodeState.Disputed ? node.floor : node.pool) - node.allocated;
}
