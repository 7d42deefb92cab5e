import { Seeded } from '../../../src/dev/eval/statistics/seeded.js';
import type { WeighedTerm } from './segment-search.js';
import { InvertedIndex, type SumQuery } from './inverted-index.js';
import { type Posted, Segment, SegmentBuilder, withSpare } from './segment.js';

const WORDS = 400;
const everybody = () => true;

/** Words distributed as in texts: a few that nearly every document has, many that hardly any document has. */
function wordsBy(chance: Seeded, count: number): number[] {
  return [...new Set(Array.from({ length: count }, () => Math.floor(WORDS ** chance.next()) - 1))];
}

function postedBy(chance: Seeded): Posted {
  const terms = Uint32Array.from(wordsBy(chance, 1 + chance.below(12)));
  return { terms, weights: Uint8Array.from(terms, () => 1 + chance.below(255)) };
}

function indexOf(documents: ReadonlyMap<number, Posted>, spare = 0): InvertedIndex {
  const counts = new Uint32Array(WORDS).fill(spare);
  for (const { terms } of documents.values()) for (const term of terms) counts[term] = (counts[term] ?? 0) + 1;
  const builder = new SegmentBuilder(counts);
  for (const [document, posted] of [...documents].sort(([a], [b]) => a - b)) builder.add(document, posted);
  return new InvertedIndex(builder.finish());
}

/** What an evaluation of every document in full finds. */
function evaluated(documents: ReadonlyMap<number, Posted>, { terms, leading, limit, accepts }: SumQuery) {
  return [...documents]
    .map(([document, posted]) => {
      const weightOf = ({ termId }: WeighedTerm) => posted.weights[posted.terms.indexOf(termId)] ?? 0;
      const isLed = terms.slice(0, leading).some((term) => weightOf(term) > 0);
      const sum = terms.reduce((total, term) => total + term.weight * weightOf(term), 0);
      return { document, sum: isLed ? sum : 0 };
    })
    .filter(({ document, sum }) => sum > 0 && accepts(document))
    .sort((a, b) => b.sum - a.sum || a.document - b.document)
    .slice(0, limit);
}

function queryBy(chance: Seeded): SumQuery {
  const terms = wordsBy(chance, 1 + chance.below(20)).map((termId) => ({ termId, weight: 1 + chance.below(3) }));
  const divisor = 2 + chance.below(5);
  return {
    terms: [...terms, { termId: WORDS + 7, weight: 5 }],
    leading: chance.chance(0.5) ? terms.length + 1 : 1 + chance.below(terms.length),
    limit: 1 + chance.below(200),
    accepts: chance.chance(0.3) ? everybody : (document) => document % divisor !== 0,
  };
}

describe('the best documents', () => {
  it.each([1, 2, 3, 4])('are those of a full evaluation, over several blocks, seed %i', (seed) => {
    const chance = new Seeded(seed);
    const documents = new Map(Array.from({ length: 6_000 }, () => [1 + chance.below(100_000), postedBy(chance)]));
    const index = indexOf(documents, seed % 2);
    for (let round = 0; round < 40; round += 1) {
      const query = queryBy(chance);
      expect(index.best(query)).toEqual(evaluated(documents, query));
    }
  });

  it('are those of a full evaluation where most words cannot lift a document among them', () => {
    const chance = new Seeded(31);
    const documents = new Map(
      Array.from({ length: 120_000 }, (_, document) => {
        const rare = chance.chance(0.01) ? [2 + chance.below(8)] : [];
        const terms = Uint32Array.from([0, 1, ...rare]);
        return [document, { terms, weights: Uint8Array.from(terms, () => 1 + chance.below(255)) }];
      }),
    );
    const index = indexOf(documents);
    // The two words that every document has count together a little less than one of the others, or a little more.
    for (const weight of [90, 120]) {
      const terms = Array.from({ length: 10 }, (_, termId) => ({ termId, weight: termId < 2 ? weight : 200 }));
      for (const limit of [20, 700, 3_000]) {
        const query: SumQuery = { terms, leading: terms.length, limit, accepts: (document) => document % 7 !== 0 };
        expect(index.best(query)).toEqual(evaluated(documents, query));
      }
    }
  });

  it.each([11, 12, 13])('are those of a full evaluation after changes, removals and merges, seed %i', (seed) => {
    const chance = new Seeded(seed);
    const documents = new Map(Array.from({ length: 800 }, () => [1 + chance.below(40_000), postedBy(chance)]));
    const index = indexOf(documents);
    for (let change = 0; change < 4_000; change += 1) {
      const document = 1 + chance.below(45_000);
      const known = chance.pick([...documents.keys()].slice(0, 50));
      if (chance.chance(0.2)) {
        index.remove(known);
        documents.delete(known);
      } else {
        const [number, posted] = [chance.chance(0.5) ? document : known, postedBy(chance)];
        index.put(number, posted);
        documents.set(number, posted);
      }
      if (change % 200 > 0) continue;
      const query = queryBy(chance);
      expect(index.best(query)).toEqual(evaluated(documents, query));
    }
  });

  it('have the lowest numbers where sums are equal, changed ones among them', () => {
    const same: Posted = { terms: Uint32Array.of(3), weights: Uint8Array.of(9) };
    const index = indexOf(new Map([10, 20, 30, 40].map((document) => [document, same])));
    index.put(30, same);
    index.put(5, same);
    const found = index.best({ terms: [{ termId: 3, weight: 2 }], leading: 1, limit: 4, accepts: everybody });
    expect(found).toEqual([5, 10, 20, 30].map((document) => ({ document, sum: 18 })));
  });

  it('do not include one that has lost its words', () => {
    const index = indexOf(new Map([[4, { terms: Uint32Array.of(3), weights: Uint8Array.of(9) }]]));
    index.put(4, { terms: new Uint32Array(0), weights: new Uint8Array(0) });
    expect(index.best({ terms: [{ termId: 3, weight: 1 }], leading: 1, limit: 5, accepts: everybody })).toEqual([]);
  });

  it('are none in an empty index', () => {
    const query = { terms: [{ termId: 3, weight: 1 }], leading: 1, limit: 5, accepts: everybody };
    expect(new InvertedIndex().best(query)).toEqual([]);
    expect(new InvertedIndex(Segment.empty()).best({ ...query, terms: [], leading: 0 })).toEqual([]);
  });

  it('keep the greatest sums that 64 words can have', () => {
    const terms = Uint32Array.from({ length: 64 }, (_, term) => term);
    const index = indexOf(new Map([[1, { terms, weights: new Uint8Array(64).fill(255) }]]));
    const query = [...terms].map((termId) => ({ termId, weight: 21_930 }));
    expect(index.best({ terms: query, leading: 64, limit: 1, accepts: everybody })).toEqual([
      { document: 1, sum: 357_897_600 },
    ]);
  });
});

describe('the sums of documents', () => {
  it.each([21, 22])('are those of a full evaluation, of changed and unknown ones too, seed %i', (seed) => {
    const chance = new Seeded(seed);
    const documents = new Map(Array.from({ length: 900 }, () => [1 + chance.below(40_000), postedBy(chance)]));
    const index = indexOf(documents);
    for (const document of [...documents.keys()].slice(0, 90)) {
      index.remove(document);
      documents.delete(document);
    }
    for (const document of [...documents.keys()].slice(0, 90)) {
      const posted = postedBy(chance);
      index.put(document, posted);
      documents.set(document, posted);
    }
    for (let round = 0; round < 20; round += 1) {
      const { terms } = queryBy(chance);
      const query = { terms, leading: terms.length, limit: Infinity, accepts: everybody };
      const expected = new Map(evaluated(documents, query).map(({ document, sum }) => [document, sum]));
      const asked = [...Array.from({ length: 2_000 }, () => chance.below(50_000)), ...documents.keys()];
      expect(index.sumsOf(asked, terms)).toEqual(asked.map((document) => expected.get(document) ?? 0));
    }
  });
});

describe('the memory of an index', () => {
  it('is five bytes for a posting and one per document for a common word, a thirty-second spare, however often documents change', () => {
    const chance = new Seeded(5);
    const documents = new Map(Array.from({ length: 3_000 }, (_, n) => [n + 1, postedBy(chance)]));
    const index = indexOf(documents);
    const postings = () => [...documents.values()].reduce((sum, { terms }) => sum + terms.length, 0);
    const having = (word: number) => [...documents.values()].filter(({ terms }) => terms.includes(word)).length;
    const end = withSpare(3_001);
    const common = Array.from({ length: WORDS }, (_, word) => word).filter((word) => having(word) * 4 >= end).length;
    expect(common).toBeGreaterThan(1);
    const beside = 5 * withSpare(WORDS) + 4 + (1 + common) * end + 4 * (2 * 32_768 + 1);
    expect(index.bytes).toBe(5 * withSpare(postings()) + beside);
    const greatest = 1.02 * postings();
    for (let change = 0; change < 30_000; change += 1) {
      const [document, posted] = [1 + chance.below(3_000), postedBy(chance)];
      documents.set(document, posted);
      index.put(document, posted);
    }
    expect(postings()).toBeLessThan(greatest);
    // At most 1,000 changed documents are kept twice until they are merged.
    expect(index.bytes).toBeLessThanOrEqual(5 * (withSpare(greatest) + 1_000 * 12) + beside);
  });

  it('is the same while its room suffices, and other memory of more room from then on', () => {
    const chance = new Seeded(6);
    const documents = new Map(Array.from({ length: 40_000 }, (_, n) => [n + 1, postedBy(chance)]));
    const index = indexOf(documents);
    const put = (document: number): void => {
      const posted = postedBy(chance);
      documents.set(document, posted);
      index.put(document, posted);
    };
    const memories = (): unknown[] => {
      const { segment, replaced } = index.standing;
      const { starts, greatest, common } = segment.parts;
      return [segment.documents, segment.weights, replaced, starts, greatest, ...common.values()].map(
        ({ buffer }) => buffer,
      );
    };
    const isRight = (): void => {
      const query = queryBy(chance);
      expect(index.best(query)).toEqual(evaluated(documents, query));
    };
    const before = memories();
    const { standing } = index;
    // Three merges, one of them with new documents.
    for (let change = 0; change < 3_200; change += 1)
      put(change < 2_500 ? 1 + chance.below(40_000) : 39_000 + (change % 2_000));
    expect(index.standing).not.toBe(standing);
    expect(new Set(memories())).toEqual(new Set(before));
    expect(memories().every((memory, at) => memory === before[at])).toBe(true);
    isRight();
    const unheard = { terms: Uint32Array.of(WORDS + 500), weights: Uint8Array.of(7) };
    documents.set(45_000, unheard);
    index.put(45_000, unheard);
    for (let n = 1; n <= 4_000; n += 1) put(45_000 + n);
    expect(
      memories()
        .slice(0, 3)
        .filter((memory) => before.includes(memory)),
    ).toEqual([]);
    isRight();
    const asked = { terms: [{ termId: WORDS + 500, weight: 2 }], leading: 1, limit: 9, accepts: everybody };
    expect(index.best(asked)).toEqual([{ document: 45_000, sum: 14 }]);
  });
});

describe('a segment', () => {
  it('refuses documents out of order, and more of them than were counted', () => {
    const builder = new SegmentBuilder(Uint32Array.of(1, 1));
    const posted: Posted = { terms: Uint32Array.of(1), weights: Uint8Array.of(1) };
    builder.add(7, posted);
    expect(() => builder.add(7, posted)).toThrow(RangeError);
    expect(() => builder.add(8, posted)).toThrow(RangeError);
    expect(() => builder.add(8, { terms: Uint32Array.of(2), weights: Uint8Array.of(1) })).toThrow(RangeError);
  });

  it('has no gaps where fewer documents came than were counted', () => {
    const builder = new SegmentBuilder(Uint32Array.of(3, 2, 2));
    builder.add(1, { terms: Uint32Array.of(0, 2), weights: Uint8Array.of(5, 6) });
    builder.add(9, { terms: Uint32Array.of(2), weights: Uint8Array.of(7) });
    const segment = builder.finish();
    expect([...segment.documents.subarray(0, 3)]).toEqual([1, 1, 9]);
    expect([...segment.weights.subarray(0, 3)]).toEqual([5, 6, 7]);
    expect([0, 1, 2, 3, 9].map((term) => segment.rangeOf(term))).toEqual([
      { start: 0, end: 1 },
      { start: 1, end: 1 },
      { start: 1, end: 3 },
      { start: 3, end: 3 },
      { start: 0, end: 0 },
    ]);
  });
});
