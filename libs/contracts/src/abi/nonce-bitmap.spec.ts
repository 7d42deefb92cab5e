import { NonceBitmapWord } from './nonce-bitmap.js';

describe('a word of nonces', () => {
  it('shows its own set bits as used and says nothing about other words', () => {
    const word = new NonceBitmapWord(1n, 0b101n);
    expect([256n, 257n, 258n, 0n, 512n].map((nonce) => word.isUsed(nonce))).toEqual([true, false, true, false, false]);
  });

  it('finds the first nonce that is free', () => {
    const word = new NonceBitmapWord(0n, 0b1011n);
    expect(word.firstFreeFrom(0n)).toBe(2n);
    expect(word.firstFreeFrom(3n)).toBe(4n);
  });

  it('ends at the first nonce of the next word when it is full', () => {
    expect(new NonceBitmapWord(0n, (1n << 256n) - 1n).firstFreeFrom(5n)).toBe(256n);
  });
});
