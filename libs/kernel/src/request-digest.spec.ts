import { createHash } from 'node:crypto';
import { EMPTY_REQUEST_DIGEST, requestDigest } from './request-digest.js';
import { lengthPrefixedHash, sha256 } from './byte-digest.js';

test('no body has the digest of zero bytes', () => {
  expect(requestDigest(undefined)).toBe('0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(EMPTY_REQUEST_DIGEST).toBe(requestDigest(undefined));
});

test('an empty object is another body than none', () => {
  expect(requestDigest({})).toBe('0x44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
});

test('the order of members does not change the digest, a value does', () => {
  expect(requestDigest({ a: 1, b: [2] })).toBe(requestDigest({ b: [2], a: 1 }));
  expect(requestDigest({ a: 1, b: [2] })).not.toBe(requestDigest({ a: 1, b: ['2'] }));
});

test('sha256 takes the UTF-8 bytes of a text', () => {
  expect(sha256('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(sha256('é')).toEqual(sha256(Uint8Array.of(0xc3, 0xa9)));
});

test('a length-prefixed hash is SHA-256 over lengths and bytes', () => {
  const expected = createHash('sha256').update('\0\0\0\x06idem/1\0\0\0\x02ab\0\0\0\0').digest();
  expect(lengthPrefixedHash('idem/1', 'ab', new Uint8Array())).toEqual(expected);
});

test('parts cannot be moved across their borders', () => {
  const hashes = [
    lengthPrefixedHash('l', 'ab', 'c'),
    lengthPrefixedHash('l', 'a', 'bc'),
    lengthPrefixedHash('l', 'abc'),
    lengthPrefixedHash('l', 'abc', ''),
    lengthPrefixedHash('la', 'bc'),
  ].map((hash) => hash.toString('hex'));
  expect(new Set(hashes).size).toBe(hashes.length);
});
