import { MAX_IMPACT, MAX_QUERY_TERMS } from './matching-constants.js';
import { type FieldCounts, idfOf, impactOf } from './impact.js';

const average: FieldCounts = { name: 2, rest: 10 };

describe('the impact of a word', () => {
  it.each<[string, FieldCounts, FieldCounts, number]>([
    // 255 * 2 / 5
    ['once in a name of average length', { name: 1, rest: 0 }, average, 102],
    // 255 * 1 / 4
    ['once in other texts of average length', { name: 0, rest: 1 }, average, 64],
    // name 2 / 1.5 = 1.333333, rest 2 / 1.1 = 1.818182; 255 * 3.151515 / 6.151515 / sqrt(1.7)
    ['in both, of twice the average length', { name: 1, rest: 2 }, { name: 4, rest: 20 }, 100],
    // 1 / 0.95 = 1.052632; 255 * 1.052632 / 4.052632 / sqrt(0.65)
    ['once in texts of half the average length', { name: 0, rest: 1 }, { name: 1, rest: 5 }, 82],
    ['that the agent does not have', { name: 0, rest: 0 }, average, 0],
    // 255 * (2 * 256) / (512 + 3) = 253.5
    ['repeated without end', { name: 256, rest: 0 }, average, 254],
    // Without the cap it would be 464.
    ['repeated without end in hardly any text', { name: 256, rest: 0 }, { name: 0, rest: 0 }, 255],
    // 1 / 100,000.9 of the frequency, and 1 / 764 of that, rounds to nothing
    ['once in an endless text', { name: 0, rest: 1 }, { name: 2, rest: 10_000_000 }, 1],
  ])('%s', (_, tf, lengths, impact) => {
    expect(impactOf(tf, lengths, average)).toBe(impact);
  });

  it('treats a field that no agent fills as one of average length', () => {
    expect(impactOf({ name: 1, rest: 0 }, { name: 1, rest: 0 }, { name: 1, rest: 0 })).toBe(102);
    expect(impactOf({ name: 1, rest: 0 }, { name: 1, rest: 0 }, { name: 0, rest: 0 })).toBe(102);
  });

  it('grows with occurrences, shrinks with length, and weighs a name more', () => {
    const of = (name: number, rest: number, length: number) =>
      impactOf({ name, rest }, { name: length, rest: 5 * length }, average);
    for (let n = 1; n < 30; n += 1) {
      expect(of(0, n + 1, 2)).toBeGreaterThanOrEqual(of(0, n, 2));
      expect(of(n, 1, 2)).toBeGreaterThan(of(0, 1, 2));
      expect(of(1, 1, n + 1)).toBeLessThanOrEqual(of(1, 1, n));
    }
  });
});

describe('an agent that fills a long text with words', () => {
  it('gains less from 50 of them than an agent of average length from two', () => {
    const honest = impactOf({ name: 0, rest: 1 }, average, average);
    const stuffed = impactOf({ name: 0, rest: 1 }, { name: 2, rest: 1_000 }, average);
    expect(50 * stuffed).toBeLessThan(2 * honest);
  });
});

describe('the rarity of a word', () => {
  it.each([
    // 1024 * ln(1 + 2.5 / 1.5)
    [1, 3, 1_004],
    // 1024 * ln(1 + 0.5 / 3.5)
    [3, 3, 137],
    // more agents than exist, from old statistics
    [5, 3, 137],
    // 1024 * ln 2
    [0, 0, 710],
    [1_000_000_000, 1_000_000_000, 1],
  ])('of %i in %i agents is %i', (df, agents, idf) => {
    expect(idfOf(df, agents)).toBe(idf);
  });

  it('leaves the sum of 64 words below 2^31 in a market of a billion', () => {
    expect(idfOf(0, 1_000_000_000)).toBe(21_930);
    expect(idfOf(0, 1_000_000_000) * MAX_IMPACT * MAX_QUERY_TERMS).toBeLessThan(2 ** 31);
  });
});
