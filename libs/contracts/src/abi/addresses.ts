import { getAddress, getCreate2Address, id, keccak256 } from 'ethers';
import { EVM_ADDRESS_PATTERN, type Hex, isHex } from '#libs/kernel';
import { LRUCache } from 'lru-cache';

/** Everything the address of a tree's escrow commits to. */
export interface EscrowAddressParts {
  factory: string;
  implementation: string;
  buyer: string;
  /** The zero address when the tree has no arbiter. */
  arbiter: string;
  treeId: string;
}

/**
 * Number of addresses whose checksum is cached: a checksum costs a hash, and a market names the same wallets and trees
 * again and again.
 */
const ADDRESSES_KEPT = 10_000;
const checksummed = new LRUCache<string, Hex>({ max: ADDRESSES_KEPT });

/** EIP-55 form of an address. Throws TypeError on anything that is not an address, or whose checksum is wrong. */
export function checksumAddress(address: string): Hex {
  const known = checksummed.get(address);
  if (known !== undefined) return known;
  const checked = asHex(getAddress(address));
  checksummed.set(address, checked);
  return checked;
}

/** As `checksumAddress`, for any value: null when it is not an address, or its checksum is wrong. */
export function readAddressText(value: unknown): Hex | null {
  if (typeof value !== 'string' || !EVM_ADDRESS_PATTERN.test(value)) return null;
  try {
    return checksumAddress(value);
  } catch {
    return null;
  }
}

/** The id of a task's tree on chain, and its CREATE2 salt: keccak256 of the UTF-8 bytes of the task id. */
export function treeIdOf(taskId: string): Hex {
  return asHex(id(taskId));
}

/** The id of an action on chain (`Auth.actionId`): keccak256 of the UTF-8 bytes of `PreparedAction.action_id`. */
export function actionIdHash(actionId: string): Hex {
  return asHex(id(actionId));
}

/**
 * The address (EIP-55) of a tree's escrow, deployed or not, as the factory's `escrowOf` computes it: an ERC-1167 clone
 * of `implementation` with buyer and arbiter as immutable arguments behind its code, deployed by CREATE2.
 */
export function predictEscrowAddress(parts: EscrowAddressParts): Hex {
  const code = [
    '363d3d373d3d3d363d73',
    getAddress(parts.implementation).slice(2),
    '5af43d82803e903d91602b57fd5bf3',
    getAddress(parts.buyer).slice(2),
    getAddress(parts.arbiter).slice(2),
  ].join('');
  // PUSH2 length, RETURNDATASIZE, DUP2, PUSH1 offset 10, RETURNDATASIZE, CODECOPY, RETURN: returns what follows it.
  const length = (code.length / 2).toString(16).padStart(4, '0');
  const initCode = `0x61${length}3d81600a3d39f3${code}`;
  return asHex(getCreate2Address(parts.factory, parts.treeId, keccak256(initCode)));
}

/** Types what ethers returns as plain text. */
export function asHex(text: string): Hex {
  if (!isHex(text)) throw new TypeError('Expected 0x and whole hexadecimal bytes');
  return text;
}
