import type { TaskStatus, TreeNode, TreeProjection, WireNodeState, WireOutcome } from '#libs/contracts';

/** One node of the tree with the agents and accounts behind its wallets. */
export interface ResolvedNode {
  /** `nodeIdOf(taskId, number)`. */
  id: string;
  /** Null for a root node. */
  parentNodeId: string | null;
  /** What the chain says of it. */
  node: TreeNode;
  /** Null while it waits for its money: on the wire it does not exist yet. */
  state: WireNodeState | null;
  outcome: WireOutcome | null;
  /** The hiring agent; for a root node, where the buyer hires, the buyer's account id. */
  hirerAgentId: string;
  /** Null when the hiring wallet belongs to nobody known. */
  hirerAccountId: string | null;
  /** `wallet_<address>` when no agent is known for the wallet. */
  workerAgentId: string;
  /** False when `workerAgentId` only names a wallet. */
  isWorkerKnown: boolean;
  workerAccountId: string | null;
  /** The last moment to take up the offer that the node is of; null when no offer is known. */
  offerUntil: Date | null;
  /** The buyer, and the owners of its hirer, its worker and those of every ancestor. Sorted, without repeats. */
  visibleAccountIds: readonly string[];
}

/**
 * All that the indexed chain says about one task now. It is the whole state and not a difference: a handler replaces
 * what it holds of the task, so that after a reorganisation, a repetition or a rebuild it holds the same.
 */
export interface TreeChanged {
  readonly taskId: string;
  readonly buyerAccountId: string;
  readonly projection: TreeProjection;
  readonly status: TaskStatus;
  /** Worker of the newest root node; null when nobody was selected yet. */
  readonly selectedAgentId: string | null;
  readonly selectedAccountId: string | null;
  /** In the order in which they were opened, parents before children; with those that are only selected. */
  readonly nodes: readonly ResolvedNode[];
  /** False when nothing that is kept of the chain is of this task yet: then there is nothing to take away. */
  readonly isShown: boolean;
  /** Block of the newest fact; null when the chain has none of the task (any more). */
  readonly blockNumber: number | null;
}

/** The tasks of which something may have to be taken away. */
export function shownTaskIds(trees: readonly TreeChanged[]): string[] {
  return trees.flatMap(({ taskId, isShown }) => (isShown ? [taskId] : []));
}

/** What the indexed chain says now about some tasks, each once, in the order of their ids; all are locked. */
export interface TreesChanged {
  readonly type: 'trees_changed';
  readonly trees: readonly TreeChanged[];
  /** True while many more wait behind them: what is made of many trees together may be left until `trees_caught_up`. */
  readonly isCatchingUp?: boolean;
}

/** No tree waits to be shown: what was left while many did is due. It comes again and again while nothing happens. */
export interface TreesCaughtUp {
  readonly type: 'trees_caught_up';
  /** To be called by a handler that has done a part of what is due: it is asked again, in the next transaction. */
  readonly askAgain: () => void;
}
