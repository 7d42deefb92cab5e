import { sha256Text } from '../hashing/hashing.js';
import { matchCode } from './match-code.js';
import { MATCH_WORDS } from './match-words.js';

test('there are 1,024 words of 3 to 8 letters', () => {
  expect(new Set(MATCH_WORDS).size).toBe(1_024);
  expect(MATCH_WORDS.filter((word) => !/^[a-z]{3,8}$/.test(word))).toEqual([]);
});

test('no two words are one letter apart', () => {
  // Two words within one edit share a pattern with one letter left open, or one is the other without a letter.
  const seen = new Map<string, string>();
  const clashes: string[] = [];
  for (const word of MATCH_WORDS) {
    const near = Array.from(word, (_, at) => `${word.slice(0, at)}.${word.slice(at + 1)}`);
    const shorter = new Set(Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1)));
    for (const pattern of [...near, ...shorter, word]) {
      const other = seen.get(pattern);
      const bothShorter = other !== undefined && shorter.has(pattern) && !MATCH_WORDS.includes(pattern);
      if (other !== undefined && other !== word && !bothShorter) clashes.push(`${word} ${other}`);
      seen.set(pattern, word);
    }
  }
  expect(clashes).toEqual([]);
});

test('a code is pinned: page, chat and terminal say the same', () => {
  expect(matchCode(`0x${'0'.repeat(64)}`)).toBe('ABACUS ABACUS 00');
  expect(matchCode(sha256Text('a'))).toBe(matchCode(sha256Text('a')));
  expect(matchCode(sha256Text('a'))).toMatch(/^[A-Z]{3,8} [A-Z]{3,8} \d\d$/);
});

test('codes of different digests differ', () => {
  const codes = Array.from({ length: 5_000 }, (_, at) => matchCode(sha256Text(String(at))));
  expect(new Set(codes).size).toBeGreaterThan(4_990);
  const firsts = new Set(codes.map((code) => code.split(' ')[0]));
  expect(firsts.size).toBeGreaterThan(1_000);
});

test('what is not a digest has no code', () => {
  expect(() => matchCode('0x12')).toThrow(TypeError);
});
