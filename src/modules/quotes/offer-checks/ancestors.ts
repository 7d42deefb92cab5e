import type { WireNodeState } from '#libs/contracts';
import type { PreparedStatement } from '../../../platform/database/transactions.js';

/** Facts of a node above that an offer for a child depends on. */
export interface Ancestor {
  path: bigint;
  /** The state that time has decided at the moment of reading, also where nobody has written it down on the chain. */
  state: WireNodeState;
  deliveryDeadline: Date;
  /**
   * Base units of the node's floor that are not promised to other children; what time has sent back counts for the first
   * node alone, under which somebody is hired.
   */
  unallocated: bigint;
  /** True when the node's money does not come from the node above it. */
  hirerFunded: boolean;
  workerAgentId: string;
  /** Null when the worker's wallet belongs to no account. */
  workerAccountId: string | null;
  workerWallet: string;
}

/** How the nodes are read: in a transaction that has locked their task, or before one. */
export type AncestorReads = <Row extends object>(statement: PreparedStatement, values: unknown[]) => Promise<Row[]>;

/**
 * Reads the nodes that an offer would be under. The escrow module, which has the nodes, implements it: that module reads
 * quotes, so this one must not import it.
 */
export abstract class AncestorReader {
  /** The node at this path, its parent, and so on up to the root; empty when there is no such node. */
  abstract ancestorsFrom(read: AncestorReads, taskId: string, nodePath: bigint, now: Date): Promise<Ancestor[]>;
}

/**
 * The nearest node above `line[0]` that provides its money and whose money has gone back. Then nobody can be hired
 * under `line[0]` (the contract's AncestorClosed). Undefined when there is none.
 */
export function closedBacker(line: readonly Ancestor[]): Ancestor | undefined {
  const independent = line.findIndex(({ hirerFunded }) => hirerFunded);
  const backers = line.slice(1, independent === -1 ? undefined : independent + 1);
  return backers.find(({ state }) => state === 'refunded');
}
