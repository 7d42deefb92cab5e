import { briefIdfOf, type BriefVector, briefVector, similarBriefBonus, similarityOf } from './similar-briefs.js';

const even = () => 1_000;
const brief = (...words: string[]) => briefVector(new Map(words.map((word) => [word, 1])), even);

/** The sum of products that SQL and the index in memory make of two briefs. */
function dotOf(one: BriefVector, other: BriefVector): number {
  return [...one].reduce((dot, [word, weight]) => dot + weight * (other.get(word) ?? 0), 0);
}

describe('a brief as a vector', () => {
  it('has the length 255: two words of equal weight are 255 / √2 each', () => {
    expect([...brief('b', 'a')]).toEqual([
      ['a', 180],
      ['b', 180],
    ]);
  });

  it('weighs a word by 1 + ln of its count and by its rarity', () => {
    const vector = briefVector(
      new Map([
        ['often', 3],
        ['rare', 1],
      ]),
      (word) => (word === 'rare' ? 2_000 : 1_000),
    );
    // (1 + ln 3) : 2 = 2.0986 : 2, of length 2.8990
    expect(Object.fromEntries(vector)).toEqual({ often: 185, rare: 176 });
  });

  it('keeps the 64 heaviest words and nothing that rounds to 0', () => {
    const many = new Map(Array.from({ length: 300 }, (_, i): [string, number] => [`w${i}`, i + 1]));
    const vector = briefVector(many, even);
    expect(vector.size).toBe(64);
    expect(vector.has('w299')).toBe(true);
    expect(briefVector(new Map([...many].slice(0, 2)), (word) => (word === 'w0' ? 1 : 10_000)).size).toBe(1);
    expect(briefVector(new Map(), even).size).toBe(0);
  });

  it('counts rarity over agents and briefs together', () => {
    // 1024 * ln(1 + 2.5 / 1.5)
    expect(briefIdfOf({ agents: 0, briefs: 1 }, { agents: 2, briefs: 1 })).toBe(1_004);
  });
});

describe('similarity', () => {
  it('of equal briefs is 1 but for rounding, of others what they share, of strangers 0', () => {
    expect(similarityOf(dotOf(brief('a', 'b'), brief('a', 'b')))).toBeCloseTo(1, 2);
    expect(similarityOf(dotOf(brief('a', 'b'), brief('b', 'c')))).toBeCloseTo(0.5, 2);
    expect(similarityOf(dotOf(brief('a'), brief('b')))).toBe(0);
  });

  it('is the same both ways and never above 1', () => {
    const words = Array.from({ length: 64 }, (_, i) => `w${i}`);
    for (let n = 1; n <= 64; n += 1) {
      const [one, other] = [brief(...words.slice(0, n)), brief(...words)];
      expect(dotOf(one, other)).toBe(dotOf(other, one));
      expect(similarityOf(dotOf(one, one))).toBeLessThanOrEqual(1);
      expect(similarityOf(dotOf(one, one))).toBeGreaterThan(0.97);
    }
  });

  it('adds its square', () => {
    expect(similarBriefBonus(0.5)).toBe(0.25);
  });
});
