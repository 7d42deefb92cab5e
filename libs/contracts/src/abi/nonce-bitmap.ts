/** 256 nonces of one signer as the escrow's bitmap holds them: nonce n is bit n mod 256 of word n div 256. */
export class NonceBitmapWord {
  constructor(
    readonly index: bigint,
    private readonly bits: bigint,
  ) {}

  /** The word that a nonce lies in. */
  static indexOf(nonce: bigint): bigint {
    return nonce >> 8n;
  }

  /** True when the chain has this nonce as used or cancelled; false for nonces of other words. */
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
