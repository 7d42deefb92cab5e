import type { Wallet } from 'ethers';
import {
  type ActionAuth,
  type ActionFields,
  actionIdHash,
  type EscrowMessages,
  type EscrowPrimaryType,
  escrowTypedData,
  type TypedData,
  typedDataDigest,
  usdcTypedData,
  type UsdcMessages,
  type UsdcPrimaryType,
} from '#libs/contracts';
import { type Hex, isHex, newId, requestDigest } from '#libs/kernel';
import type { SeedServices } from './seed-services.js';

/** Chain and token for which actions are signed. */
export interface SigningPlace {
  chainId: number;
  /** Address of the local USDC. */
  usdc: string;
}

/** The token's EIP-712 domain. */
const TOKEN_DOMAIN = { name: 'USD Coin', version: '2' };
/** How long an action is valid when it is sent at once. */
const VALID_SECONDS = 900;

/** An action before it is signed: its id and the fields that every action has. */
export interface OpenAction {
  id: string;
  requestDigest: Hex;
  fields: ActionFields;
}

/**
 * Signs actions as a wallet does: typed data to a signature of 65 bytes. Nonces of withdrawals come from the
 * service's own counter; those of other actions name a node and its version.
 */
export class ActionSigner {
  constructor(
    private readonly services: SeedServices,
    private readonly place: SigningPlace,
  ) {}

  /**
   * Makes a new action of the wallet in this escrow. `about` stands for the API request that would have prepared it.
   * @param nonce absent: a new one for a withdrawal.
   */
  async open(escrow: string, wallet: Wallet, about: object, nonce?: bigint, validUntil?: number): Promise<OpenAction> {
    const id = newId('act', this.services.nowMs);
    const digest = requestDigest(about);
    const until = validUntil ?? Math.floor(this.services.nowMs / 1000) + VALID_SECONDS;
    return {
      id,
      requestDigest: digest,
      fields: {
        actionId: actionIdHash(id),
        requestDigest: digest,
        nonce: nonce ?? (await this.withdrawalNonce(escrow, wallet)),
        validUntil: BigInt(until),
      },
    };
  }

  /** Signs an action of the escrow. `message` includes the four fields that every action has. */
  sign<P extends EscrowPrimaryType>(wallet: Wallet, escrow: string, type: P, message: EscrowMessages[P]): Hex {
    return signTypedData(
      wallet,
      escrowTypedData(type, { chainId: this.place.chainId, escrowAddress: escrow }, message),
    );
  }

  /** The digest of an action; the token's authorisation uses it as its nonce. */
  digest<P extends EscrowPrimaryType>(escrow: string, type: P, message: EscrowMessages[P]): Hex {
    return typedDataDigest(escrowTypedData(type, { chainId: this.place.chainId, escrowAddress: escrow }, message));
  }

  /** Signs one of the token's own structs. */
  signToken<P extends UsdcPrimaryType>(wallet: Wallet, type: P, message: UsdcMessages[P]): Hex {
    const domain = { ...TOKEN_DOMAIN, chainId: this.place.chainId, tokenAddress: this.place.usdc };
    return signTypedData(wallet, usdcTypedData(type, domain, message));
  }

  private withdrawalNonce(escrow: string, wallet: Wallet): Promise<bigint> {
    const { transactions, nonces } = this.services;
    return transactions.run((manager) => nonces.next(manager, escrow, wallet.address));
  }
}

/** The wallet's signature (65 bytes) over typed data. */
export function signTypedData(wallet: Wallet, data: TypedData): Hex {
  const { serialized } = wallet.signingKey.sign(typedDataDigest(data));
  if (!isHex(serialized)) throw new TypeError('The wallet gave no signature');
  return serialized;
}

/** The authorisation of a contract call with its signature. */
export function signedAuth(fields: ActionFields, signature: Hex): ActionAuth {
  return { ...fields, signature };
}
