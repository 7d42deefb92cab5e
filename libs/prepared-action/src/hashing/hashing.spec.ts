import { createHash, randomBytes } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3';
import { sha256 as nobleSha256 } from '@noble/hashes/sha256';
import { keccakHex, keccakText, sha256Text } from './hashing.js';
import { keccak256 } from './keccak.js';
import { sha256 } from './sha256.js';

/** Every length around the ends of the first blocks (64, 128, 136, 272 bytes), and a long one. */
const LENGTHS = [...Array(300).keys(), 10_007];

test('keccak-256 is that of an independent library for random bytes of every length', () => {
  for (const length of LENGTHS) {
    const bytes = randomBytes(length);
    expect([length, Buffer.from(keccak256(bytes)).toString('hex')]).toEqual([
      length,
      Buffer.from(keccak_256(bytes)).toString('hex'),
    ]);
  }
});

test('SHA-256 is that of two independent libraries for random bytes of every length', () => {
  for (const length of LENGTHS) {
    const bytes = randomBytes(length);
    const found = Buffer.from(sha256(bytes)).toString('hex');
    expect([length, found]).toEqual([length, Buffer.from(nobleSha256(bytes)).toString('hex')]);
    expect([length, found]).toEqual([length, createHash('sha256').update(bytes).digest('hex')]);
  }
});

test('the vectors of the standards hold', () => {
  expect(keccakText('')).toBe('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
  expect(keccakText('abc')).toBe('0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45');
  expect(sha256Text('')).toBe('0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(sha256Text('abc')).toBe('0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('parts are hashed one after the other, and each is whole bytes', () => {
  expect(keccakHex('0x6162', '0x', '0x63')).toBe(keccakText('abc'));
  expect(() => keccakHex('0xa', '0xb')).toThrow(SyntaxError);
});

test('text is hashed as UTF-8', () => {
  const text = 'ñ 漢 🌳';
  expect(sha256Text(text)).toBe(`0x${createHash('sha256').update(text, 'utf8').digest('hex')}`);
});
