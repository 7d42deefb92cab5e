import { actionIdHash, escrowTypedData, type NodeTerms, type TypedData } from '#libs/contracts';
import type { Hex } from '#libs/kernel';

/** The terms of one node that hirer and worker both sign, and what identifies the worker's signature. */
export interface QuoteTerms {
  nodeNumber: number;
  /** 0 for a root node. */
  parentNodeNumber: number;
  /** EIP-55. */
  workerWallet: string;
  /** Base units. */
  price: bigint;
  /** Whole seconds. */
  deadline: Date;
  acceptWindowSeconds: number;
  hirerFunded: boolean;
  termsHash: string;
  actionId: string;
  requestDigest: Hex;
  nonce: bigint;
  /** Whole seconds. */
  validUntil: Date;
}

/** The tree and the hirer a quote is for. */
export interface QuoteTarget {
  chainId: number;
  escrowAddress: string;
  /** EIP-55 of the USDC contract. */
  token: string;
  /** The buyer's wallet for a root node, the wallet of the parent's worker for a child. */
  hirerWallet: string;
  /** The zero address for none. */
  arbiterWallet: string;
}

/**
 * What a worker signs to offer itself for a node: `SubmitQuote` of design/contract.md §1.3, on `eth_signTypedData_v4`
 * as it stands. Throws TypeError or RangeError when a member does not fit its type.
 */
export function quoteTypedData(quote: QuoteTerms, target: QuoteTarget): TypedData {
  const { chainId, escrowAddress, hirerWallet, arbiterWallet, token } = target;
  return escrowTypedData(
    'SubmitQuote',
    { chainId, escrowAddress },
    {
      terms: nodeTerms(quote),
      hirer: hirerWallet,
      arbiter: arbiterWallet,
      token,
      actionId: actionIdHash(quote.actionId),
      requestDigest: quote.requestDigest,
      nonce: quote.nonce,
      validUntil: BigInt(unixSeconds(quote.validUntil)),
    },
  );
}

/** The NodeTerms struct of a quote, as `selectAgent` and `subcontract` take it. */
export function nodeTerms(quote: QuoteTerms): NodeTerms {
  return {
    nodeId: quote.nodeNumber,
    parentNodeId: quote.parentNodeNumber,
    worker: quote.workerWallet,
    amount: quote.price,
    deliverBy: unixSeconds(quote.deadline),
    acceptWindow: quote.acceptWindowSeconds,
    hirerFunded: quote.hirerFunded,
    termsHash: quote.termsHash,
  };
}

/** Seconds since the epoch; a fraction stays one, so that what was not signed in whole seconds is not rounded. */
export function unixSeconds(time: Date): number {
  return time.getTime() / 1000;
}
