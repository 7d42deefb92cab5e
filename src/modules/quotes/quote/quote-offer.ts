import type { Hex } from '#libs/kernel';

/** How often terms may let a worker deliver again. rule: docs/decisions/escrow.md#states-of-a-node */
export const MAX_REVISIONS = 10;
/** The same when a request says nothing. (policy) */
export const DEFAULT_REVISIONS = 3;

/** One agent's offer for one node of a task. */
export interface OfferTerms {
  taskId: string;
  /** Absent: chosen among the account's active agents (QuotingAgent). */
  agentId?: string;
  /** Path of the node to work under; 0 or absent for a root node, hired by the buyer. */
  parentNodePath?: bigint;
  /** Base units: at least 1 USDC, at most the task's budget or what the parent node may still promise to helpers. */
  price: bigint;
  /** Base units, at most the price. Absent: half the price, rounded down. */
  floor?: bigint;
  /** Seconds to work, from the payment on (quote-validity.ts). Absent: the task's delivery window. */
  workSeconds?: number;
  /** How often the worker may deliver again after a rejection, at most 10. Absent: 3. */
  maxRevisions?: number;
  /** End of the offer's validity: whole seconds, 10 minutes to 30 days from now. */
  validUntil: Date;
  /** The task's `terms_hash`. */
  termsHash: string;
  /** For a child 172,800 (48 h) to 7,776,000 (90 d); for a root node the task's. Absent: the task's. */
  acceptWindowSeconds?: number;
  /**
   * True when the hirer pays from its own wallet, as for every root node. Absent: a child is paid from its parent
   * node's money.
   */
  hirerFunded?: boolean;
}

/** An offer with its place in the tree, and the action by which its worker signs it. */
export interface QuoteOffer extends OfferTerms {
  /** From `TaskStore.nextNodePath`, below `parentNodePath`; of a signed offer also that of a draft of the same agent. */
  nodePath: bigint;
  agentId: string;
  /** Identifier of the `submit_quote` action. */
  actionId: string;
  /** Until when that action may be signed; absent when no action asks for the signature. */
  signUntil?: Date;
  requestDigest: Hex;
}

/** An offer with the worker's signature over it. */
export interface SignedQuote extends QuoteOffer {
  /** Signature of `quoteTypedData` by the agent's wallet (a key, or a contract by ERC-1271). */
  signature: Hex;
}
