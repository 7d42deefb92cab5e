import type { Hex } from '#libs/kernel';
import type { EscrowFact } from './escrow-events.js';
import type { NodeState, Outcome } from './node-states.js';

/** A fact with its place in the chain. */
export interface ChainedFact {
  fact: EscrowFact;
  blockNumber: number;
  blockHash: Hex;
  /** Unix seconds. */
  blockTime: number;
  logIndex: number;
  transactionHash: Hex;
}

/** Where and when something happened. */
export interface FactRef {
  readonly transactionHash: Hex;
  readonly blockNumber: number;
  readonly logIndex: number;
  /** Unix seconds of the block. */
  readonly at: number;
}

/**
 * One node of a tree, as the contract's storage holds it (`pool` is its `amount`). Money in base units, times in unix
 * seconds.
 */
export interface TreeNode {
  /** The node's id: its path in the tree, which also says what its parent is. */
  readonly path: bigint;
  readonly worker: Hex;
  /** Wallet that hires: the buyer for a root node, the parent's worker for a child. */
  readonly hirer: Hex;
  /** Price with which the node was funded. */
  readonly amount: bigint;
  /** The most that may be carved out, and the worker's share if the arbiter is silent. */
  readonly floor: bigint;
  /**
   * What is left of `amount`, allocations of children included. A refund does not change it: only `state` tells of
   * that.
   */
  readonly pool: bigint;
  /** The part of the pool promised to children that live on it. */
  readonly allocated: bigint;
  readonly state: NodeState;
  readonly outcome: Outcome | null;
  readonly deliverBy: number;
  /**
   * What ends then depends on the state: Funded → delivery, Delivered → the right to reject, Rejected → the right to
   * contest, Disputed → the right to rule.
   */
  readonly clock: number;
  /** Seconds. */
  readonly acceptWindow: number;
  /** Transitions so far, which every signature about the node must name in its nonce; 1 once it is funded. */
  readonly version: number;
  /** Deliveries after a rejection so far. */
  readonly revisions: number;
  /** Deliveries after a rejection that the terms allow. */
  readonly maxRevisions: number;
  readonly hirerFunded: boolean;
  /** Whether the newest delivery asked for payment to the worker's own address, by the call that settles the node where nothing backs it any more. */
  readonly payOut: boolean;
  readonly termsHash: Hex;
  /** Artifact of the newest delivery; `null` before the first. */
  readonly artifactHash: Hex | null;
  readonly fundedAt: FactRef;
  /** When it was settled, refunded or abandoned. */
  readonly settledAt: FactRef | null;
  /** What the settlement left in the node, its children's allocations included; 0 until then and after a refund. */
  readonly workerShare: bigint;
  /** What its worker has withdrawn or was paid. */
  readonly withdrawn: bigint;
}

/** One delivery of a node; a node has several when its worker delivered again after a rejection. */
export interface TreeDelivery {
  readonly nodePath: bigint;
  /** 1 for the first delivery of the node. */
  readonly revision: number;
  readonly artifactHash: Hex;
  /** Last unix second at which the hirer may reject it. */
  readonly acceptBy: number;
  readonly status: 'submitted' | 'rejected' | 'released';
  /** Hash of the rejection's reason; `null` when it was not rejected. */
  readonly reasonHash: Hex | null;
  readonly delivered: FactRef;
}

/** The end of one node. */
export interface TreeSettlement {
  readonly nodePath: bigint;
  readonly kind: 'released' | 'refunded';
  readonly outcome: Outcome;
  readonly worker: Hex;
  readonly hirer: Hex;
  /** What stays with the worker and its children. */
  readonly workerShare: bigint;
  /** What goes back to where the node's money came from. */
  readonly hirerShare: bigint;
  readonly settled: FactRef;
}

/** Earnings that left the escrow. */
export interface TreeWithdrawal {
  readonly nodePath: bigint;
  readonly worker: Hex;
  readonly recipient: Hex;
  readonly amount: bigint;
  readonly withdrawn: FactRef;
}

/** Returned money that left the escrow. */
export interface TreeRefund {
  readonly account: Hex;
  readonly recipient: Hex;
  readonly amount: bigint;
  readonly withdrawn: FactRef;
}

/** A prepared action that the contract executed. A signer chooses the id, so it proves nothing without signer and nonce. */
export interface ConsumedAction {
  readonly actionIdHash: Hex;
  readonly signer: Hex;
  readonly nonce: bigint;
  readonly requestDigest: Hex;
  readonly transactionHash: Hex;
  readonly blockNumber: number;
  /** Unix seconds of the block. */
  readonly at: number;
}

/** Nonces a signer has cancelled: those of `word` (for a node its path) whose bit is set in `mask`. */
export interface InvalidatedNonces {
  readonly signer: Hex;
  readonly word: bigint;
  readonly mask: bigint;
}

/** The books of a tree in base units: funded = held + paid + refundable, and held + refundable is in the escrow. */
export interface TreeLedger {
  /** Everything that wallets brought. */
  readonly funded: bigint;
  /** In live nodes or owed to their workers. */
  readonly held: bigint;
  /** Everything that left, earnings and refunds. */
  readonly paid: bigint;
  /** Given back to hirers and not yet withdrawn. */
  readonly refundable: bigint;
}

/** All that the chain says about one task tree. */
export interface TreeProjection {
  /** `null` until the factory has made the escrow. */
  readonly parties: { readonly buyer: Hex; readonly arbiter: Hex } | null;
  /** In the order in which they were funded, parents before children. */
  readonly nodes: readonly TreeNode[];
  readonly deliveries: readonly TreeDelivery[];
  readonly settlements: readonly TreeSettlement[];
  readonly withdrawals: readonly TreeWithdrawal[];
  readonly refunds: readonly TreeRefund[];
  /** What each account may withdraw of returned money; accounts without any are absent. */
  readonly refundOf: ReadonlyMap<Hex, bigint>;
  readonly consumedActions: readonly ConsumedAction[];
  readonly invalidatedNonces: readonly InvalidatedNonces[];
  readonly ledger: TreeLedger;
}
