import type { TaskStatus, TreeNode, TreeProjection, TreeStep, WireNodeState, WireOutcome } from '#libs/contracts';
import type { AnyRecordedEvent } from './catalogue/event.js';

/** One node of the tree with the agents and accounts behind its wallets. */
export interface ResolvedNode {
  /** `nodeIdOf(taskId, path)`. */
  id: string;
  /** Null for a root node. */
  parentNodeId: string | null;
  /** The node as it is on the chain. */
  node: TreeNode;
  state: WireNodeState;
  outcome: WireOutcome | null;
  /** The hiring agent; for a root node, where the buyer hires, the buyer's account id. */
  hirerAgentId: string;
  /** Null when the hiring wallet belongs to no known account. */
  hirerAccountId: string | null;
  /** `wallet_<address>` when no agent is known for the wallet. */
  workerAgentId: string;
  /** False when `workerAgentId` only names a wallet. */
  isWorkerKnown: boolean;
  workerAccountId: string | null;
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
  /** Null while no root node was funded: then kept signatures and time alone decide the task's status. */
  readonly status: TaskStatus | null;
  /** Worker of the root node that decides the status; null while there is none. */
  readonly selectedAgentId: string | null;
  /** In the order in which they were funded, parents before children. */
  readonly nodes: readonly ResolvedNode[];
  /** False when nothing derived from the chain is stored for this task yet: then nothing has to be removed. */
  readonly isShown: boolean;
  /** What the facts that no event has told yet have changed, in chain order; whatever else is new is no news to tell. */
  readonly steps: readonly TreeStep[];
  /** Block of the newest fact; null when the chain has none of the task (any more). */
  readonly blockNumber: number | null;
}

/** Ids of the tasks for which stored rows may have to be removed. */
export function shownTaskIds(trees: readonly TreeChanged[]): string[] {
  return trees.flatMap(({ taskId, isShown }) => (isShown ? [taskId] : []));
}

/** Who reads of the work and the money of a node: who pays for it, the buyer of the tree, and who works. */
export function partiesOf(
  { buyerAccountId }: Pick<TreeChanged, 'buyerAccountId'>,
  { hirerAccountId, workerAccountId }: Pick<ResolvedNode, 'hirerAccountId' | 'workerAccountId'>,
): string[] {
  return [hirerAccountId, buyerAccountId, workerAccountId].filter((id) => id !== null);
}

/** The present state of some tasks in the indexed chain, each once, in the order of their ids; all are locked. */
export interface TreesChanged {
  readonly type: 'trees_changed';
  readonly trees: readonly TreeChanged[];
  /**
   * Takes an event about one of these trees, and the step that has caused it; null for what follows from all of them. All
   * are recorded together in the order of the chain, those without a step last; what has one cause keeps its order.
   */
  readonly tell: (event: AnyRecordedEvent, cause: TreeStep | null) => void;
  /** True while many more trees wait: what is computed over many trees together may be left until `trees_caught_up`. */
  readonly isCatchingUp?: boolean;
}

/**
 * No tree waits to be shown, so work that was left while many waited is due. The event is repeated while nothing
 * happens.
 */
export interface TreesCaughtUp {
  readonly type: 'trees_caught_up';
  /**
   * A handler that has done only a part of what is due calls this; the event then comes again, in the next transaction.
   */
  readonly askAgain: () => void;
}
