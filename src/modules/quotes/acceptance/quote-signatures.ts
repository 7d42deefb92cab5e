import { Injectable } from '@nestjs/common';
import { typedDataDigest } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { WalletSignatures } from '../../../platform/chain/wallet-signatures.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import { quoteTypedData, type QuoteTerms } from '../quote/quote-typed-data.js';

/** The tree that a quote is for. */
export type QuotedTree = Pick<TaskEntity, 'escrowAddress' | 'arbiterWallet'>;

/** Checks that a worker has signed a quote, by the same rule as the contract, which checks it again at hiring. */
@Injectable()
export class QuoteSignatures {
  constructor(
    private readonly signatures: WalletSignatures,
    private readonly config: ChainConfig,
  ) {}

  /**
   * @param hirerWallet wallet of the buyer for a root node, of the parent node's worker for a child.
   * @throws ApiError `wallet_mismatch` when the worker's wallet has not signed these terms; `service_unavailable` when
   *   a contract wallet must be asked and the chain cannot be reached.
   */
  async verify(quote: QuoteTerms, tree: QuotedTree, hirerWallet: string, signature: Hex): Promise<void> {
    if (await this.isValid(quote, tree, hirerWallet, signature)) return;
    throw new ApiError(
      'wallet_mismatch',
      "The signature is not the agent's wallet's over these terms.",
      'Sign the SubmitQuote typed data of exactly this quote with the wallet of the agent.',
    );
  }

  /**
   * True when the worker's wallet confirms the signature now; a contract wallet may stop confirming one.
   * @throws ChainUnavailableError when a contract wallet must be asked and the chain cannot be reached.
   */
  isValid(
    quote: QuoteTerms,
    { escrowAddress, arbiterWallet }: QuotedTree,
    hirerWallet: string,
    signature: Hex,
  ): Promise<boolean> {
    const { chainId, usdcAddress: token } = this.config;
    const data = quoteTypedData(quote, { chainId, escrowAddress, token, hirerWallet, arbiterWallet });
    return this.signatures.isValid(typedDataDigest(data), signature, quote.workerWallet, 'escrow');
  }
}
