import { FIRST_WITHDRAWAL_NONCE, isNodePath, NODE_VERSION_BITS, nodeNonceParts } from '#libs/kernel';

const MAX_VERSION = (1n << NODE_VERSION_BITS) - 1n;

/**
 * The nonce that an action about a node must have while the node is at this version: 0 until the node exists, 1 when it
 * is funded, one more at each of its transitions (0 … 255). Hirer and worker use the same one. Throws RangeError on
 * what is no path or no version.
 */
export function nodeNonce(path: bigint, version: number): bigint {
  const fits = Number.isInteger(version) && version >= 0 && BigInt(version) <= MAX_VERSION;
  if (!fits || !isNodePath(path)) throw new RangeError('No node has such a nonce');
  return (path << NODE_VERSION_BITS) | BigInt(version);
}

/** The node that a nonce is about, and the version that the node must be at; null for any other nonce. */
export function readNodeNonce(nonce: bigint): { readonly path: bigint; readonly version: number } | null {
  const named = nodeNonceParts(nonce);
  return isNodePath(named.path) ? named : null;
}

/** True for a nonce that a withdrawal may have: 2^255 … 2^256 − 1. */
export function isWithdrawalNonce(nonce: bigint): boolean {
  return nonce >= FIRST_WITHDRAWAL_NONCE && nonce >> 256n === 0n;
}

/**
 * 256 nonces of one signer as the escrow's bitmap holds them: nonce n is bit n mod 256 of word n div 256. A set bit is a
 * withdrawal that was executed, or any nonce that its signer cancelled. The word of an action about a node is the
 * node's path; its execution sets no bit there, but raises the node's version.
 */
export class NonceBitmapWord {
  constructor(
    readonly index: bigint,
    private readonly bits: bigint,
  ) {}

  /** The word that a nonce lies in. */
  static indexOf(nonce: bigint): bigint {
    return nonce >> 8n;
  }

  /** True when the bitmap has this nonce as used or cancelled; false for nonces of other words. */
  isUsed(nonce: bigint): boolean {
    return NonceBitmapWord.indexOf(nonce) === this.index && ((this.bits >> (nonce & 0xffn)) & 1n) === 1n;
  }

  /** The first nonce from `nonce` on that this word does not show as used; the next word's first when it is full. */
  firstFreeFrom(nonce: bigint): bigint {
    let free = nonce;
    while (this.isUsed(free)) free += 1n;
    return free;
  }
}
