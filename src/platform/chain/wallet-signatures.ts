import { Injectable } from '@nestjs/common';
import { AbiCoder, concat, recoverAddress, Signature } from 'ethers';
import type { Hex } from '#libs/kernel';
import { ChainClient } from './chain-client.js';

/** `isValidSignature(bytes32,bytes)`, which is also what a contract answers when it agrees (ERC-1271). */
const ERC1271_MAGIC = '0x1626ba7e';
const ERC1271_ACCEPTS = ERC1271_MAGIC.padEnd(66, '0');
/** Longest signature of a contract wallet that is passed on, in bytes. */
const MAX_SIGNATURE_BYTES = 4_096;

/**
 * Who will check the signature. The escrow takes a wallet's own key first and its code second (a delegated account keeps
 * its key); the token asks the code as soon as there is any.
 */
export type SignatureChecker = 'escrow' | 'token';

/** Whether a wallet has really signed a digest, by the rule of the contract that will check it again. */
@Injectable()
export class WalletSignatures {
  constructor(private readonly chain: ChainClient) {}

  /**
   * @param wallet EIP-55.
   * @throws ChainUnavailableError when only the chain could say and it cannot be asked.
   */
  async isValid(digest: Hex, signature: Hex, wallet: string, checker: SignatureChecker): Promise<boolean> {
    const bySigner = isSignedByKey(digest, signature, wallet);
    if (bySigner && checker === 'escrow') return true;
    const hasCode = (await this.chain.codeAt(wallet)) !== '0x';
    return hasCode ? this.isSignedByContract(digest, signature, wallet) : bySigner;
  }

  private async isSignedByContract(digest: Hex, signature: Hex, wallet: string): Promise<boolean> {
    if (signature.length > 2 + 2 * MAX_SIGNATURE_BYTES) return false;
    const values = AbiCoder.defaultAbiCoder().encode(['bytes32', 'bytes'], [digest, signature]);
    const answer = await this.chain.rawCall({ to: wallet, data: concat([ERC1271_MAGIC, values]) });
    return !answer.reverted && answer.data.slice(0, ERC1271_ACCEPTS.length) === ERC1271_ACCEPTS;
  }
}

/** Only the 65-byte form with v 27 or 28 and a low s, which is the only one that the contracts accept. */
function isSignedByKey(digest: Hex, signature: Hex, wallet: string): boolean {
  try {
    return (
      Signature.from(signature).serialized === signature.toLowerCase() && recoverAddress(digest, signature) === wallet
    );
  } catch {
    return false;
  }
}
