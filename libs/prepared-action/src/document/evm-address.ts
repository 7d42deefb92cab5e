import { EVM_ADDRESS_PATTERN, type Hex } from '#libs/notation';
import { keccakHex, keccakText } from '../hashing/hashing.js';
import type { Deployment, TreeParties } from './prepared-action.js';

export const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`;

/**
 * Constructor that returns the 0x55 bytes after it: PUSH2 length, RETURNDATASIZE, DUP2, PUSH1 10, RETURNDATASIZE,
 * CODECOPY, RETURN.
 */
const CONSTRUCTOR = '0x6100553d81600a3d39f3';
/** The code of every escrow around the address it forwards to (ERC-1167); buyer and arbiter follow it. */
const CLONE_CODE = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3([0-9a-f]{40})([0-9a-f]{40})$/;

/** EIP-55 form of an address in any case. Throws TypeError on anything that is not one. */
export function checksumOf(address: string): Hex {
  if (!EVM_ADDRESS_PATTERN.test(address)) throw new TypeError('Not an address');
  const digits = address.slice(2).toLowerCase();
  const hash = keccakText(digits).slice(2);
  const marked = Array.from(digits, (digit, at) => (hash.charAt(at) >= '8' ? digit.toUpperCase() : digit));
  return `0x${marked.join('')}`;
}

/** True for an address in one case, or in the mixed case of its own checksum (EIP-55). */
export function isAddressText(value: unknown): value is Hex {
  if (typeof value !== 'string' || !EVM_ADDRESS_PATTERN.test(value)) return false;
  const digits = value.slice(2);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || checksumOf(value) === value;
}

/** True when both are addresses and the same one. */
export function sameAddress(a: unknown, b: unknown): boolean {
  return isAddressText(a) && isAddressText(b) && a.toLowerCase() === b.toLowerCase();
}

/**
 * The address (EIP-55) of the escrow of a task, deployed or not: CREATE2 of the factory over a clone that commits to
 * the implementation, the buyer and the arbiter (docs/decisions/escrow.md#one-contract-per-tree). Throws TypeError on
 * what is no address.
 */
export function escrowAddressOf(deployment: Deployment, parties: TreeParties, taskId: string) {
  const initCodeHash = keccakHex(CONSTRUCTOR, escrowCodeOf(deployment, parties));
  const hash = keccakHex('0xff', `0x${digitsOf(deployment.factory)}`, keccakText(taskId), initCodeHash);
  return checksumOf(`0x${hash.slice(-40)}`);
}

/** The code of an escrow that commits to these parties, as `partiesInCode` reads it. Throws TypeError on what is no address. */
export function escrowCodeOf({ implementation }: Deployment, { buyer, arbiter }: TreeParties): Hex {
  return `0x363d3d373d3d3d363d73${digitsOf(implementation)}5af43d82803e903d91602b57fd5bf3${digitsOf(buyer)}${digitsOf(arbiter)}`;
}

/**
 * Buyer and arbiter that the code of an escrow commits to; null for any other code, that of another implementation's
 * clone included.
 */
export function partiesInCode(code: string, { implementation }: Deployment): TreeParties | null {
  const [, target, buyer, arbiter] = CLONE_CODE.exec(code.toLowerCase()) ?? [];
  if (target !== digitsOf(implementation)) return null;
  return { buyer: `0x${buyer ?? ''}`, arbiter: `0x${arbiter ?? ''}` };
}

function digitsOf(address: string): string {
  return checksumOf(address).slice(2).toLowerCase();
}
