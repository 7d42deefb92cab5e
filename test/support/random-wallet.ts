import { hexlify, randomBytes, Wallet } from 'ethers';

/** A wallet that nobody had before. It has no phrase: to derive a key from one takes fifteen times as long. */
export function randomWallet(): Wallet {
  return new Wallet(hexlify(randomBytes(32)));
}
