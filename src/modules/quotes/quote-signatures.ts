import { Injectable } from '@nestjs/common';
import { AbiCoder, concat, recoverAddress, Signature } from 'ethers';
import { typedDataDigest } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainClient } from '../../platform/chain/chain-client.js';
import { ChainConfig } from '../../platform/chain/chain-config.js';
import { ApiError } from '../../platform/http/api-error.js';
import type { TaskEntity } from '../tasks/task.entity.js';
import { quoteTypedData, type QuoteTerms } from './quote-typed-data.js';

/** `isValidSignature(bytes32,bytes)`, which is also what a contract answers when it agrees (ERC-1271). */
const ERC1271_MAGIC = '0x1626ba7e';
const ERC1271_ACCEPTS = ERC1271_MAGIC.padEnd(66, '0');
/** Longest signature of a contract wallet that is passed on, in bytes. */
const MAX_SIGNATURE_BYTES = 4_096;

/** Whether a worker has really signed a quote, by the rule of the contract that will check it again when it is hired. */
@Injectable()
export class QuoteSignatures {
  constructor(
    private readonly chain: ChainClient,
    private readonly config: ChainConfig,
  ) {}

  /**
   * @param hirerWallet the buyer's for a root node, that of the parent's worker for a child.
   * @throws ApiError `wallet_mismatch` when the worker's wallet has not signed these terms; `service_unavailable` when
   * only a contract could say and the chain cannot be asked.
   */
  async verify(quote: QuoteTerms, task: TaskEntity, hirerWallet: string, signature: Hex): Promise<void> {
    const { escrowAddress, arbiterWallet } = task;
    const { chainId, usdcAddress: token } = this.config;
    const target = { chainId, escrowAddress, token, hirerWallet, arbiterWallet };
    const digest = typedDataDigest(quoteTypedData(quote, target));
    if (isSignedByKey(digest, signature, quote.workerWallet)) return;
    if (await this.isSignedByContract(digest, signature, quote.workerWallet)) return;
    throw new ApiError(
      'wallet_mismatch',
      "The signature is not the agent's wallet's over these terms.",
      'Sign the SubmitQuote typed data of exactly this quote with the wallet of the agent.',
    );
  }

  private async isSignedByContract(digest: Hex, signature: Hex, wallet: string): Promise<boolean> {
    if (signature.length > 2 + 2 * MAX_SIGNATURE_BYTES) return false;
    if ((await this.chain.codeAt(wallet)) === '0x') return false;
    const values = AbiCoder.defaultAbiCoder().encode(['bytes32', 'bytes'], [digest, signature]);
    const answer = await this.chain.rawCall({ to: wallet, data: concat([ERC1271_MAGIC, values]) });
    return !answer.reverted && answer.data.slice(0, ERC1271_ACCEPTS.length) === ERC1271_ACCEPTS;
  }
}

/** Only the 65-byte form with v 27 or 28 and a low s, which is the only one that the contract accepts. */
function isSignedByKey(digest: Hex, signature: Hex, wallet: string): boolean {
  try {
    return (
      Signature.from(signature).serialized === signature.toLowerCase() && recoverAddress(digest, signature) === wallet
    );
  } catch {
    return false;
  }
}
