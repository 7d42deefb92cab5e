import { checksumOf, isAddressText, sameAddress } from '../document/evm-address.js';
import type { PreparedAction } from '../document/prepared-action.js';
import { ownMember, type Subject, subjectOf, uintOf } from '../checks/verification-input.js';
import { BYTES32_PATTERN, type Hex, nodeNonceParts } from '#libs/notation';

const NO_DEPLOYMENT = {
  chainId: 0,
  factory: '0x',
  implementation: '0x',
  usdc: '0x',
  usdcName: '',
  usdcVersion: '',
  maxActionSeconds: 0,
  signingOrigin: '',
} as const;

/**
 * Reads members of the escrow's own message, of a payment the one that it is for. Reading a member that is missing or of
 * another type throws TypeError.
 */
export class MessageReader {
  private constructor(private readonly subject: Subject) {}

  static of(action: PreparedAction): MessageReader {
    const { kind, principal } = action;
    const subject = subjectOf(action, { kind, principal }, { deployment: NO_DEPLOYMENT, nowMs: 0, readings: [] });
    if (subject.form === null) throw new TypeError('Not typed data of this kind');
    return new MessageReader(subject);
  }

  /** True when a permit is signed, which names the escrow and the amount, and not the node that they are for. */
  get isPermit(): boolean {
    return this.subject.form === 'permit';
  }

  /** The amount that is paid or promised, base units. */
  get price(): bigint {
    return this.uint('terms.amount');
  }

  /** Last unix second at which the signature is valid. */
  get lastSecond(): number {
    return this.seconds('validUntil');
  }

  /** The version of the node that the action is for: 1 when it was funded, one more at each of its transitions. */
  get nodeVersion(): number {
    return nodeNonceParts(this.uint('nonce')).version;
  }

  uint(path: string): bigint {
    return numberOf(this.find(path), path);
  }

  seconds(path: string): number {
    return Number(this.uint(path));
  }

  flag(path: string): boolean {
    const value = this.find(path);
    if (typeof value !== 'boolean') throw new TypeError(`The member ${path} is not a flag`);
    return value;
  }

  /** EIP-55. */
  address(path: string): Hex {
    const value = this.find(path);
    if (!isAddressText(value)) throw new TypeError(`The member ${path} is not an address`);
    return checksumOf(value);
  }

  bytes32(path: string): string {
    const value = this.find(path);
    if (typeof value !== 'string' || !BYTES32_PATTERN.test(value))
      throw new TypeError(`The member ${path} is not bytes32`);
    return value;
  }

  /** True for the wallet that signs. */
  isWallet(address: string): boolean {
    return sameAddress(this.subject.action['wallet_address'], address);
  }

  private find(path: string) {
    return ownMember(this.subject, path);
  }
}

function numberOf(value: unknown, name: string): bigint {
  const integer = uintOf(value);
  if (integer === null) throw new TypeError(`The member ${name} is not an integer`);
  return integer;
}
