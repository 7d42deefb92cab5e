import { AbiCoder, concat, dataSlice, Interface } from 'ethers';
import { type Hex, isHex } from '#libs/kernel';
import { asHex, checksumAddress } from './addresses.js';
import { undeployedWalletCheckAbi, undeployedWalletCheckBytecode } from '../generated/undeployed-wallet-check.js';

/** Suffix that marks an ERC-6492 signature, whose wallet may not be deployed yet. */
const MAGIC = '6492'.repeat(16);
const MAGIC_BYTES = 32;
const YES = '0x01';

const check = new Interface(undeployedWalletCheckAbi);
const coder = AbiCoder.defaultAbiCoder();

/** The parts of an ERC-6492 signature. */
export interface UndeployedWalletSignature {
  /** Contract that deploys the wallet; EIP-55. */
  factory: Hex;
  /** Call data by which the factory deploys the wallet. */
  factoryCall: Hex;
  /** The inner signature, which the wallet itself checks. */
  signature: Hex;
}

/** The parts of an ERC-6492 signature; null for any other signature, and for a malformed one. */
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

/**
 * Data of an `eth_call` without recipient that deploys the wallet by its factory for the length of the call, and asks
 * it about the signature.
 */
export function encodeUndeployedWalletCheck(wallet: string, digest: Hex, parts: UndeployedWalletSignature): Hex {
  const { factory, factoryCall, signature } = parts;
  return asHex(
    concat([undeployedWalletCheckBytecode, check.encodeDeploy([wallet, digest, factory, factoryCall, signature])]),
  );
}

/** True when the wallet accepted the signature, according to what that call returned. */
export function decodeUndeployedWalletCheck(data: string): boolean {
  return data === YES;
}

function readBytes(value: unknown): Hex {
  if (typeof value !== 'string' || !isHex(value)) throw new TypeError('Not bytes');
  return value;
}
