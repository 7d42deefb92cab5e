import { AbiCoder, concat, dataSlice, Interface } from 'ethers';
import { type Hex, isHex } from '#libs/kernel';
import { asHex, checksumAddress } from './addresses.js';
import { undeployedWalletCheckAbi, undeployedWalletCheckBytecode } from '../generated/undeployed-wallet-check.js';

/** What a signature ends with that belongs to a wallet which may not be deployed yet (ERC-6492). */
const MAGIC = '6492'.repeat(16);
const MAGIC_BYTES = 32;
const YES = '0x01';

const check = new Interface(undeployedWalletCheckAbi);
const coder = AbiCoder.defaultAbiCoder();

/** A signature of such a wallet, taken apart. */
export interface UndeployedWalletSignature {
  /** Who deploys the wallet; EIP-55. */
  factory: Hex;
  /** Call data with which it does. */
  factoryCall: Hex;
  /** What the wallet itself is asked about. */
  signature: Hex;
}

/** Takes a signature of ERC-6492 apart; null when it is none, or is malformed. */
export function readUndeployedWalletSignature(signature: Hex): UndeployedWalletSignature | null {
  if (!signature.toLowerCase().endsWith(MAGIC)) return null;
  try {
    const length = (signature.length - 2) / 2;
    const values: unknown[] = coder
      .decode(['address', 'bytes', 'bytes'], dataSlice(signature, 0, length - MAGIC_BYTES))
      .toArray();
    const [factory, factoryCall, inner] = values;
    return {
      factory: checksumAddress(String(factory)),
      factoryCall: readBytes(factoryCall),
      signature: readBytes(inner),
    };
  } catch {
    return null;
  }
}

/** Data of an `eth_call` without recipient that asks the wallet, deployed by its factory for the length of the call. */
export function encodeUndeployedWalletCheck(wallet: string, digest: Hex, parts: UndeployedWalletSignature): Hex {
  const { factory, factoryCall, signature } = parts;
  return asHex(
    concat([undeployedWalletCheckBytecode, check.encodeDeploy([wallet, digest, factory, factoryCall, signature])]),
  );
}

/** Whether the wallet agreed, by what that call returned. */
export function decodeUndeployedWalletCheck(data: string): boolean {
  return data === YES;
}

function readBytes(value: unknown): Hex {
  if (typeof value !== 'string' || !isHex(value)) throw new TypeError('Not bytes');
  return value;
}
