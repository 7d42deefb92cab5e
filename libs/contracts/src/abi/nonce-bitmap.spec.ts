import { childPath, FIRST_WITHDRAWAL_NONCE } from '#libs/kernel';
import { isWithdrawalNonce, nodeNonce, NonceBitmapWord, readNodeNonce } from './nonce-bitmap.js';

const deepest = Array.from({ length: 8 }, () => 16_777_215).reduce(childPath, 0n);

describe('the nonce of an action about a node', () => {
  it('names the node and its version, and nothing else has it', () => {
    expect(nodeNonce(1n, 0)).toBe(256n);
    const seen = new Set<bigint>();
    const paths = [1n, 2n, childPath(1n, 1), childPath(1n, 2), childPath(childPath(2n, 1), 256), deepest];
    for (const path of paths) {
      for (const version of [0, 1, 2, 254, 255]) {
        const nonce = nodeNonce(path, version);
        expect(readNodeNonce(nonce)).toEqual({ path, version });
        expect(isWithdrawalNonce(nonce)).toBe(false);
        seen.add(nonce);
      }
    }
    expect(seen.size).toBe(paths.length * 5);
  });

  it('lies in the word of the bitmap that is the path of the node', () => {
    expect(NonceBitmapWord.indexOf(nodeNonce(deepest, 255))).toBe(deepest);
  });

  it.each([-1, 256, 1.5])('has no version %d', (version) => {
    expect(() => nodeNonce(1n, version)).toThrow(RangeError);
  });

  it('needs a path', () => {
    expect(() => nodeNonce(0n, 1)).toThrow(RangeError);
    expect(() => nodeNonce(1n << 24n, 1)).toThrow(RangeError);
  });
});

test.each([0n, 255n, 1n << 32n, FIRST_WITHDRAWAL_NONCE, FIRST_WITHDRAWAL_NONCE - 1n, -1n])(
  'the nonce %d is not about a node',
  (nonce) => {
    expect(readNodeNonce(nonce)).toBeNull();
  },
);

test('the nonces of withdrawals are the upper half of all', () => {
  expect(isWithdrawalNonce(FIRST_WITHDRAWAL_NONCE - 1n)).toBe(false);
  expect(isWithdrawalNonce(FIRST_WITHDRAWAL_NONCE)).toBe(true);
  expect(isWithdrawalNonce(2n ** 256n - 1n)).toBe(true);
  expect(isWithdrawalNonce(2n ** 256n)).toBe(false);
});

describe('a word of nonces', () => {
  it('shows its own set bits as used and says nothing about other words', () => {
    const word = new NonceBitmapWord(1n, 0b101n);
    expect([256n, 257n, 258n, 0n, 512n].map((nonce) => word.isUsed(nonce))).toEqual([true, false, true, false, false]);
  });

  it('finds the first nonce that is free, also among the withdrawals', () => {
    const word = new NonceBitmapWord(0n, 0b1011n);
    expect(word.firstFreeFrom(0n)).toBe(2n);
    expect(word.firstFreeFrom(3n)).toBe(4n);
    const first = new NonceBitmapWord(NonceBitmapWord.indexOf(FIRST_WITHDRAWAL_NONCE), 1n);
    expect(first.firstFreeFrom(FIRST_WITHDRAWAL_NONCE)).toBe(FIRST_WITHDRAWAL_NONCE + 1n);
  });

  it('ends at the first nonce of the next word when it is full', () => {
    expect(new NonceBitmapWord(0n, (1n << 256n) - 1n).firstFreeFrom(5n)).toBe(256n);
  });
});
