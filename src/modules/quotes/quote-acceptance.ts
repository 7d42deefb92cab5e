import { Injectable } from '@nestjs/common';
import { isHex } from '#libs/kernel';
import { ChainClient } from '../../platform/chain/chain-client.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import { type QuotedTree, QuoteSignatures } from './quote-signatures.js';
import { unixSeconds } from './quote-typed-data.js';
import type { QuoteEntity } from './quote.entity.js';

/** Shortest time for which an offer must still stand to be taken up: that of signing and mining. (policy) */
const MIN_LEFT_SECONDS = 120;

/** Whether a signed offer can be taken up now, for a selection and a subcontract alike. */
@Injectable()
export class QuoteAcceptance {
  constructor(
    private readonly chain: ChainClient,
    private readonly signatures: QuoteSignatures,
    private readonly clock: Clock,
  ) {}

  /**
   * What the row says, before a signature is asked for.
   * @param termsHash the task's.
   * @throws ApiError `quote_expired`, also when it is about to be; `terms_mismatch`; `state_conflict` for every other
   * status than `submitted`.
   */
  checkKept(quote: QuoteEntity, termsHash: string): void {
    this.checkStands(quote, MIN_LEFT_SECONDS);
    if (quote.termsHash.toLowerCase() !== termsHash.toLowerCase()) {
      throw new ApiError('terms_mismatch', "The quote is not for the task's frozen terms.");
    }
  }

  /**
   * What the row says when the hirer's signature has come.
   * @throws ApiError `quote_expired`; `state_conflict` for every other status than `submitted`.
   */
  checkSignable(quote: QuoteEntity): void {
    this.checkStands(quote, 0);
  }

  /**
   * Why the chain's latest state would not let the offer be taken up, asked at once; null when it would: its node number
   * and its nonce are unused, and the worker's wallet still stands by its signature.
   * @param hirerWallet the buyer's for a root node, that of the parent's worker for a child.
   * @throws ChainUnavailableError.
   */
  async refusal(quote: QuoteEntity, tree: QuotedTree, hirerWallet: string): Promise<ApiError | null> {
    const [node, isNonceUsed, isSigned] = await Promise.all([
      this.chain.nodeAt(tree.escrowAddress, quote.nodeNumber, 'latest'),
      this.isNonceUsed(quote, tree),
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

  private async isNonceUsed({ workerWallet, nonce }: QuoteEntity, { escrowAddress }: QuotedTree): Promise<boolean> {
    const word = await this.chain.nonceWord(escrowAddress, workerWallet, nonce);
    return word.isUsed(nonce);
  }

  private async isSigned(quote: QuoteEntity, tree: QuotedTree, hirerWallet: string): Promise<boolean> {
    const { signature, requestDigest } = quote;
    if (signature === null || !isHex(signature) || !isHex(requestDigest)) return false;
    return this.signatures.isValid(Object.assign({}, quote, { requestDigest }), tree, hirerWallet, signature);
  }
}
