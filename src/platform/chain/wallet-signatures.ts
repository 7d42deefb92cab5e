import { Injectable } from '@nestjs/common';
import { AbiCoder, concat, recoverAddress, Signature } from 'ethers';
import {
  decodeUndeployedWalletCheck,
  encodeUndeployedWalletCheck,
  readUndeployedWalletSignature,
  type UndeployedWalletSignature,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainClient } from './chain-client.js';
import { CHECK_GAS } from './foreign-gas.js';

/** `isValidSignature(bytes32,bytes)`, which is also what a contract answers when it agrees (ERC-1271). */
const ERC1271_MAGIC = '0x1626ba7e';
const ERC1271_ACCEPTS = ERC1271_MAGIC.padEnd(66, '0');
/** Bytes of the longest signature of a contract wallet that is accepted where a contract will check it again. */
const MAX_SIGNATURE_BYTES = 4_096;
/** The same for a signature that only the service checks: it may also carry the call that deploys the wallet. */
const MAX_MESSAGE_SIGNATURE_BYTES = 8_192;

/**
 * Who will check the signature. The escrow takes a wallet's own key first and its code second (a delegated account keeps
 * its key); the token asks the code as soon as there is any.
 */
export type SignatureChecker = 'escrow' | 'token';

/** Who agreed to a signature: the key of the address itself, or the wallet contract at it. */
export type Signer = 'key' | 'contract';

/**
 * Whether a wallet has really signed a digest, by the rule of the contract that will check it again. A wallet that is a
 * contract runs a stranger's code: its gas and time are limited, and no other call waits for it.
 */
@Injectable()
export class WalletSignatures {
  constructor(private readonly chain: ChainClient) {}

  /**
   * True when the wallet signed the digest. A contract that needs more than `CHECK_GAS` counts as not having agreed.
   * @param wallet EIP-55.
   * @param owner account whose wallet it is, where that is known; an owner may have only few such calls at once.
   * @throws ChainUnavailableError when only the chain could say and it cannot be asked, or takes too long.
   */
  async isValid(
    digest: Hex,
    signature: Hex,
    wallet: string,
    checker: SignatureChecker,
    owner = wallet,
  ): Promise<boolean> {
    const bySigner = isSignedByKey(digest, signature, wallet);
    if (bySigner && checker === 'escrow') return true;
    const hasCode = (await this.chain.codeAt(wallet)) !== '0x';
    if (!hasCode) return bySigner;
    return !isLongerThan(signature, MAX_SIGNATURE_BYTES) && this.isAcceptedByContract(digest, signature, wallet, owner);
  }

  /**
   * Who signed a text for a wallet, which no contract will check again: the key of its address; the contract at it
   * (ERC-1271), also when the signature still carries what deployed it; or a contract that is not deployed yet
   * (ERC-6492). A delegated account (EIP-7702) keeps its key, as in the escrow. A wallet that is deployed is asked as
   * it is, without the factory's call: that call could change who may sign for it, if only during the check.
   * @param wallet EIP-55.
   * @returns null when none of these signed it.
   * @throws ChainUnavailableError when only the chain could say and it cannot be asked.
   */
  async signerOf(digest: Hex, signature: Hex, wallet: string): Promise<Signer | null> {
    if (isSignedByKey(digest, signature, wallet)) return 'key';
    if (isLongerThan(signature, MAX_MESSAGE_SIGNATURE_BYTES)) return null;
    const wrapped = readUndeployedWalletSignature(signature);
    const hasCode = (await this.chain.codeAt(wallet)) !== '0x';
    if (hasCode) {
      const inner = wrapped?.signature ?? signature;
      return (await this.isAcceptedByContract(digest, inner, wallet, wallet)) ? 'contract' : null;
    }
    return wrapped !== null && (await this.isAcceptedOnceDeployed(digest, wrapped, wallet)) ? 'contract' : null;
  }

  private async isAcceptedByContract(digest: Hex, signature: Hex, wallet: string, owner: string): Promise<boolean> {
    const values = AbiCoder.defaultAbiCoder().encode(['bytes32', 'bytes'], [digest, signature]);
    const call = { to: wallet, data: concat([ERC1271_MAGIC, values]), gas: CHECK_GAS, foreignFor: owner };
    const answer = await this.chain.rawCall(call);
    return !answer.reverted && answer.data.slice(0, ERC1271_ACCEPTS.length) === ERC1271_ACCEPTS;
  }

  private async isAcceptedOnceDeployed(
    digest: Hex,
    parts: UndeployedWalletSignature,
    wallet: string,
  ): Promise<boolean> {
    const data = encodeUndeployedWalletCheck(wallet, digest, parts);
    const answer = await this.chain.rawCall({ data, gas: CHECK_GAS, foreignFor: wallet });
    return !answer.reverted && decodeUndeployedWalletCheck(answer.data);
  }
}

function isLongerThan(signature: Hex, bytes: number): boolean {
  return signature.length > 2 + 2 * bytes;
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
