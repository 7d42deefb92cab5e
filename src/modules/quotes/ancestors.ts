import type { EntityManager } from 'typeorm';
import type { WireNodeState } from '#libs/contracts';

/** What an offer for a child has to know of a node above it. */
export interface Ancestor {
  number: number;
  state: WireNodeState;
  /** What ends the state by time alone: the last moment of the right that belongs to it. */
  clock: Date;
  deliveryDeadline: Date;
  /** Base units that are not promised to other children. */
  unallocated: bigint;
  /** True when its money does not come out of the node above it. */
  hirerFunded: boolean;
  workerAgentId: string;
  /** Null when the worker's wallet belongs to no account. */
  workerAccountId: string | null;
  workerWallet: string;
}

/** Levels of the deepest tree. rule: docs/decisions/interface.md#fields-and-ranges */
export const MAX_LEVELS = 8;

/**
 * Reads the nodes that an offer would be under. Nodes are of the module of the escrow, which reads quotes and so stands above
 * this one: it gives the implementation.
 */
export abstract class AncestorReader {
  /** The node with this number, its parent, and so on up to the root; empty when there is no such node. */
  abstract ancestorsFrom(manager: EntityManager, taskId: string, nodeNumber: number): Promise<Ancestor[]>;
}

/**
 * The nearest node above `line[0]` whose money has gone back, on which it lives: then nothing can be hired under it any
 * more (the contract's AncestorClosed). Undefined when there is none.
 */
export function closedBacker(line: readonly Ancestor[], nowMs: number): Ancestor | undefined {
  const independent = line.findIndex(({ hirerFunded }) => hirerFunded);
  const backers = line.slice(1, independent === -1 ? undefined : independent + 1);
  return backers.find(({ state, clock }) => state === 'refunded' || (state === 'rejected' && nowMs > clock.getTime()));
}
