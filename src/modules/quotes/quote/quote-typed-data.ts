import {
  type ActionAuth,
  type ActionFields,
  actionIdHash,
  escrowTypedData,
  type NodeTerms,
  type TypedData,
} from '#libs/contracts';
import { type Hex, isHex } from '#libs/kernel';

/** The terms of one node that hirer and worker both sign. */
export interface HiringTerms {
  nodePath: bigint;
  /** EIP-55. */
  workerWallet: string;
  /** Base units, as `floor`. */
  price: bigint;
  /** The most that may be promised to helpers, and the worker's share if an arbiter who was asked stays silent. */
  floor: bigint;
  /** From the payment on. */
  workSeconds: number;
  acceptWindowSeconds: number;
  /** How often the worker may deliver again after a rejection. */
  maxRevisions: number;
  hirerFunded: boolean;
  termsHash: string;
}

/** The terms, with the action fields of the worker's signature. */
export interface QuoteTerms extends HiringTerms {
  actionId: string;
  requestDigest: Hex;
  nonce: bigint;
  /** Whole seconds. */
  validUntil: Date;
}

/** The signature of a quote as it is stored. */
type KeptSignature = Pick<QuoteTerms, 'actionId' | 'nonce' | 'validUntil'> & {
  requestDigest: string;
  /** Null until the worker's wallet has signed. */
  signature: string | null;
};

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
 * The typed data that a worker signs to make an offer: `SubmitQuote` of docs/decisions/escrow.md#signed-actions, ready
 * for `eth_signTypedData_v4`. Throws TypeError or RangeError when a member does not fit its type.
 */
export function offerTypedData(terms: HiringTerms, target: QuoteTarget, fields: ActionFields): TypedData {
  const { chainId, escrowAddress, hirerWallet: hirer, arbiterWallet: arbiter, token } = target;
  const message = { terms: nodeTerms(terms), hirer, arbiter, token, ...fields };
  return escrowTypedData('SubmitQuote', { chainId, escrowAddress }, message);
}

/** As `offerTypedData`, for a quote that contains its action fields. */
export function quoteTypedData(quote: QuoteTerms, target: QuoteTarget): TypedData {
  const { requestDigest, nonce } = quote;
  const validUntil = BigInt(unixSeconds(quote.validUntil));
  return offerTypedData(quote, target, { actionId: actionIdHash(quote.actionId), requestDigest, nonce, validUntil });
}

/**
 * The worker's authorization for `fundTask` and `subcontract`, from a stored quote. Throws TypeError for a quote
 * that its worker has not signed.
 */
export function workerAuth({ actionId, requestDigest, nonce, validUntil, signature }: KeptSignature): ActionAuth {
  if (signature === null || !isHex(signature) || !isHex(requestDigest)) throw new TypeError('The quote is not signed');
  const fields = { actionId: actionIdHash(actionId), requestDigest, nonce };
  return { ...fields, validUntil: BigInt(unixSeconds(validUntil)), signature };
}

/** The NodeTerms struct of a quote, for `fundTask` and `subcontract`. */
export function nodeTerms(terms: HiringTerms): NodeTerms {
  return {
    nodeId: terms.nodePath,
    worker: terms.workerWallet,
    amount: terms.price,
    floor: terms.floor,
    workSeconds: terms.workSeconds,
    acceptWindow: terms.acceptWindowSeconds,
    maxRevisions: terms.maxRevisions,
    hirerFunded: terms.hirerFunded,
    termsHash: terms.termsHash,
  };
}

/**
 * Seconds since the epoch. A fraction is kept, so that a time with a fraction cannot pass as the whole second that was
 * signed.
 */
export function unixSeconds(time: Date): number {
  return time.getTime() / 1000;
}
