import type { Hex } from '#libs/kernel';

/** One agent's offer for one node of a task. */
export interface OfferTerms {
  taskId: string;
  /** Absent: chosen among the account's active agents (QuotingAgent). */
  agentId?: string;
  /** Node to work under; 0 or absent for a root node, hired by the buyer. */
  parentNodeNumber?: number;
  /** Base units: at least 1 USDC, at most the task's budget or what the parent node has left. */
  price: bigint;
  /** The delivery deadline that the worker promises: whole seconds, 24 hours to 365 days from now. */
  deadline: Date;
  /** End of the offer's validity: whole seconds, 10 minutes to 30 days from now, not after `deadline`. */
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

/** An offer, and the action by which its worker signs it. */
export interface QuoteOffer extends OfferTerms {
  agentId: string;
  /** Identifier of the `submit_quote` action. */
  actionId: string;
  /** Until when that action may be signed; absent when no action asks for the signature. */
  signUntil?: Date;
  requestDigest: Hex;
  /** Unused number of the worker's wallet in the task's escrow. */
  nonce: bigint;
}

/** An offer with the worker's signature over it. */
export interface SignedQuote extends QuoteOffer {
  /** Node number of a draft of the same agent, or one from `TaskStore.nextNodeNumber`. */
  nodeNumber: number;
  /** Signature of `quoteTypedData` by the agent's wallet (a key, or a contract by ERC-1271). */
  signature: Hex;
}
