import { createHash } from 'node:crypto';
import { EMPTY_REQUEST_DIGEST, jcs, lengthPrefixedHash, requestDigest, sha256 } from './digest.js';

test('the example of RFC 8785 is canonicalised as the RFC shows', () => {
  const input = JSON.parse(
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
      '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
  );
  expect(jcs(input)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test('members are sorted by UTF-16 code units, as the RFC orders them', () => {
  const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
  const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
  const text = jcs(Object.fromEntries(names.map((name, i) => [name, i])));
  expect(Object.keys(JSON.parse(text)).filter((name) => name !== '1')).toEqual(sorted.filter((name) => name !== '1'));
  expect(text.indexOf('"\\r"')).toBeLessThan(text.indexOf('"1"'));
});

test.each<[unknown, string]>([
  [-0, '0'],
  [1e21, '1e+21'],
  [123456789012345680000, '123456789012345680000'],
  [5e-324, '5e-324'],
  [Number('9007199254740993'), '9007199254740992'],
  ['\u2028', '"\u2028"'],
  [{}, '{}'],
  [[], '[]'],
  [{ b: undefined, a: [{ d: 1, c: null }] }, '{"a":[{"c":null,"d":1}]}'],
  [JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
])('%j is canonically %s', (value, text) => {
  expect(jcs(value)).toBe(text);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, [Number.NEGATIVE_INFINITY]])('%p has no canonical form', (value) => {
  expect(() => jcs(value)).toThrow(RangeError);
});

test.each<[string, unknown]>([
  ['a lone high surrogate', '\ud800'],
  ['a lone low surrogate in a name', { '\udc00': 1 }],
  ['undefined', undefined],
  ['undefined in an array', [undefined]],
  ['a bigint', 1n],
  ['a function', () => 1],
  ['a Date', new Date(0)],
  ['a Map', new Map()],
])('%s has no canonical form', (_what, value) => {
  expect(() => jcs(value)).toThrow(TypeError);
});

test('hostile nesting is refused before it exhausts the stack', () => {
  expect(() => jcs(JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`))).toThrow(RangeError);
  expect(jcs(JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`))).toBe(`${'['.repeat(200)}${']'.repeat(200)}`);
});

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
