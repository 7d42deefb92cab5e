import { getBytes, hexlify, keccak256, zeroPadValue } from 'ethers';
import type { Hex } from '#libs/kernel';
import { asHex } from '../abi/addresses.js';
import { taskEscrowImmutables, taskEscrowRuntime } from '../generated/task-escrow.js';
import { taskEscrowFactoryImmutables, taskEscrowFactoryRuntime } from '../generated/task-escrow-factory.js';

const WORD_BYTES = 32;

/** Addresses that the code of a deployment contains as immutables. */
export interface DeploymentAddresses {
  factory: string;
  implementation: string;
  /** USDC. */
  token: string;
}

/** The code of both contracts of a deployment. */
export interface DeployedCode {
  factory: Hex;
  implementation: Hex;
}

/** The whole code that the contracts of this build have on the chain at these addresses, immutables filled in. */
export function deployedCode({ factory, implementation, token }: DeploymentAddresses): DeployedCode {
  return {
    factory: withImmutables(taskEscrowFactoryRuntime, taskEscrowFactoryImmutables, { implementation, token }),
    implementation: withImmutables(taskEscrowRuntime, taskEscrowImmutables, { factory, implementation, token }),
  };
}

/** Keccak-256 of a contract's code, as the chain's EXTCODEHASH gives it. */
export function codeHash(code: string): Hex {
  return asHex(keccak256(code));
}

/**
 * Returns a contract's code with addresses in its gaps.
 * @param code runtime code with zeros in its gaps
 * @param gaps where the words begin, in bytes, by the name of the immutable
 * @throws TypeError when a gap holds anything but zeros.
 */
export function withImmutables<Name extends string>(
  code: string,
  gaps: Readonly<Record<Name, readonly number[]>>,
  addresses: Readonly<Record<Name, string>>,
): Hex {
  const filled = getBytes(code);
  for (const [name, starts] of Object.entries(gaps) as [Name, readonly number[]][]) {
    const word = getBytes(zeroPadValue(addresses[name], WORD_BYTES));
    for (const start of starts) {
      const gap = filled.subarray(start, start + WORD_BYTES);
      if (gap.some((byte) => byte !== 0)) throw new TypeError(`The code has no gap at byte ${start}`);
      gap.set(word);
    }
  }
  return asHex(hexlify(filled));
}
