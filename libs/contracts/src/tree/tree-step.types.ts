import type { NodeState } from './node-states.js';
import type { TaskStatus } from './task-status.js';
import type { ChainedFact } from './tree-projection.types.js';

/** What one fact has changed in its tree. */
export interface TreeStep {
  readonly chained: ChainedFact;
  /** The node that the fact is about; null when it is about none. */
  readonly path: bigint | null;
  /** The node's state before; null while it was not there. */
  readonly from: NodeState | null;
  /** The node's state after; equal to `from` when the fact is no transition. */
  readonly to: NodeState | null;
  /** The status that the chain gives the task before and after the fact; null while it gives none. */
  readonly statusBefore: TaskStatus | null;
  readonly status: TaskStatus | null;
}
