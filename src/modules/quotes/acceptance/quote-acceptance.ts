import { Injectable } from '@nestjs/common';
import { isHex } from '#libs/kernel';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { agentSuspended } from '../../agents/agent-reader.js';
import { type Offer, offerById } from './offers.sql.js';
import { type QuotedTree, QuoteSignatures } from './quote-signatures.js';
import { unixSeconds } from '../quote/quote-typed-data.js';
import type { QuoteEntity } from '../quote/quote.entity.js';

/** Least remaining validity of an offer that can be accepted: time for signing and mining. (policy) */
const MIN_LEFT_SECONDS = 120;

/** Checks whether a signed offer can be accepted now, for a selection or a subcontract. */
@Injectable()
export class QuoteAcceptance {
  constructor(
    private readonly transactions: Transactions,
    private readonly chain: ChainClient,
    private readonly signatures: QuoteSignatures,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks the stored quote before a signature is requested.
   * @param termsHash the task's terms hash.
   * @throws ApiError `quote_expired`, also when the quote is about to expire; `terms_mismatch`; `state_conflict` for
   *   every other status than `submitted`.
   */
  checkKept(quote: QuoteEntity, termsHash: string): void {
    this.checkStands(quote, MIN_LEFT_SECONDS);
    if (quote.termsHash.toLowerCase() !== termsHash.toLowerCase()) {
      throw new ApiError('terms_mismatch', "The quote is not for the task's frozen terms.");
    }
  }

  /** The offer as it is now, or null. */
  async find(quoteId: string): Promise<Offer | null> {
    const [offer = null] = await offerById(this.transactions, [quoteId]);
    return offer;
  }

  /**
   * Checks the stored offer when the hirer's signature arrives.
   * @throws ApiError `quote_expired`; `state_conflict` for every other status than `submitted`, and while its agent is
   *   suspended.
   */
  checkSignable({ quote, isSuspended }: Offer): void {
    this.checkStands(quote, 0);
    if (isSuspended) throw agentSuspended();
  }

  /**
   * Asks the chain, at its latest block, whether the offer can be accepted: its node's place must be free, neither side
   * may have cancelled the nonce, and the worker's wallet must still confirm its signature. Returns the refusal, or null when it can.
   * @param hirerWallet wallet of the buyer for a root node, of the parent node's worker for a child.
   * @throws ChainUnavailableError.
   */
  async refusal(quote: QuoteEntity, tree: QuotedTree, hirerWallet: string): Promise<ApiError | null> {
    const [node, isNonceUsed, isPaymentCancelled, isSigned] = await Promise.all([
      this.chain.nodeAt(tree.escrowAddress, quote.nodePath, 'latest'),
      this.chain.nonceUsed(tree.escrowAddress, quote.workerWallet, quote.nonce),
      this.chain.nonceUsed(tree.escrowAddress, hirerWallet, quote.nonce),
      this.isSigned(quote, tree, hirerWallet),
    ]);
    if (node !== null) {
      return new ApiError(
        'state_conflict',
        'The quote has been taken up on the chain already.',
        'Read the task again.',
      );
    }
    if (isNonceUsed) {
      return new ApiError('state_conflict', 'The worker has withdrawn the quote on the chain.', 'Take another quote.');
    }
    if (isPaymentCancelled) {
      return new ApiError(
        'state_conflict',
        "The hirer's wallet has cancelled the payment for this quote on the chain.",
        'Take another quote, or ask the worker for a new one.',
      );
    }
    if (isSigned) return null;
    return new ApiError(
      'state_conflict',
      "The worker's wallet no longer stands by its signature.",
      'Take another quote.',
    );
  }

  private checkStands({ status, validUntil }: QuoteEntity, leftSeconds: number): void {
    if (status !== 'submitted') {
      throw new ApiError('state_conflict', `The quote is ${status}.`, 'Take up one that is submitted.');
    }
    if (unixSeconds(validUntil) - this.clock.nowSeconds() >= leftSeconds) return;
    throw new ApiError(
      'quote_expired',
      `The quote stands until ${validUntil.toISOString()}; a signature now would come too late.`,
      'Ask the worker for a new quote.',
    );
  }

  private async isSigned(quote: QuoteEntity, tree: QuotedTree, hirerWallet: string): Promise<boolean> {
    const { signature, requestDigest } = quote;
    if (signature === null || !isHex(signature) || !isHex(requestDigest)) return false;
    return this.signatures.isValid(Object.assign({}, quote, { requestDigest }), tree, hirerWallet, signature);
  }
}
