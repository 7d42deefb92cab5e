import { Seeded } from '../../../src/dev/eval/statistics/seeded.js';
import { InvertedIndex } from './inverted-index.js';
import { type Posted, SegmentBuilder } from './segment.js';
import type { SearchTask } from './search-task.js';
import { type SegmentQuery, SegmentSearch } from './segment-search.js';
import { runHelper, ParallelSearch } from './parallel-search.js';

const WORDS = 60;
const DOCUMENTS = 200_000;
const ALL_BLOCKS = Number.MAX_SAFE_INTEGER;

/** An index over several blocks, of which some documents were changed since. */
function chanceIndex(chance: Seeded): InvertedIndex {
  const posted = (): Posted => {
    const terms = Uint32Array.from(new Set(Array.from({ length: 3 }, () => Math.floor(WORDS ** chance.next()) - 1)));
    return { terms, weights: Uint8Array.from(terms, () => 1 + chance.below(20)) };
  };
  const documents = Array.from({ length: DOCUMENTS / 4 }, posted);
  const counts = new Uint32Array(WORDS);
  for (const { terms } of documents) for (const term of terms) counts[term] = (counts[term] ?? 0) + 1;
  const builder = new SegmentBuilder(counts);
  for (const [at, document] of documents.entries()) builder.add(4 * at, document);
  const index = new InvertedIndex(builder.finish());
  for (let change = 0; change < 500; change += 1) index.put(chance.below(DOCUMENTS), posted());
  for (let change = 0; change < 500; change += 1) index.remove(4 * chance.below(DOCUMENTS / 4));
  return index;
}

function chanceQuery(chance: Seeded): SegmentQuery {
  const words = [
    ...new Set(Array.from({ length: 1 + chance.below(12) }, () => Math.floor(WORDS ** chance.next()) - 1)),
  ];
  const divisor = 2 + chance.below(5);
  return {
    terms: words.map((termId) => ({ termId, weight: 1 + chance.below(3) })),
    leading: 1 + chance.below(words.length),
    accepts: (document) => document % divisor !== 0,
  };
}

/** A part that takes at most this many blocks, as if its thread then stood still. */
function partOf(part: SearchTask, blocks: number): SearchTask & { taken: number } {
  return {
    taken: 0,
    get least() {
      return part.least;
    },
    takeBlock() {
      if (this.taken === blocks) return ALL_BLOCKS;
      this.taken += 1;
      return part.takeBlock();
    },
    offer: (document, sum) => part.offer(document, sum),
  };
}

describe('a search of several threads', () => {
  it.each([1, 2, 3])('finds what one alone finds, whoever looks through which block, seed %i', (seed) => {
    const chance = new Seeded(seed);
    const index = chanceIndex(chance);
    let helped = 0;
    for (let round = 0; round < 30; round += 1) {
      const query = chanceQuery(chance);
      const limit = 1 + chance.below(900);
      const helpers = 1 + chance.below(3);
      const search = ParallelSearch.begin(limit, helpers);
      const waiting = Array.from({ length: helpers }, (_, at) => 1 + at);
      /** What a helper's thread does while the lead's stands still. */
      const interrupt = (): void => {
        const helper = waiting.pop();
        if (helper === undefined) return;
        runHelper(search.slotOf(helper), (part) => {
          const some = partOf(part, chance.chance(0.3) ? ALL_BLOCKS : chance.below(4));
          new SegmentSearch().find(index.standing, query, some);
          helped += some.taken;
        });
      };
      if (chance.chance(0.3)) interrupt();
      const accepts = (document: number): boolean => {
        if (chance.chance(0.01)) interrupt();
        return query.accepts(document);
      };
      const found = index.find({ ...query, accepts }, search);
      expect(found).toEqual(index.best({ ...query, limit }));
      // Helpers that begin late, after the result is known.
      while (waiting.length > 0) interrupt();
    }
    expect(helped).toBeGreaterThan(50);
  });

  it('skips sums below what another searcher has found enough of', () => {
    const search = ParallelSearch.begin(3, 1);
    runHelper(search.slotOf(1), (part) => {
      expect(part.takeBlock()).toBe(0);
      for (const document of [1, 2, 3]) part.offer(document, 40 + document);
      expect(part.takeBlock()).toBe(1);
    });
    expect(search.least).toBe(1);
    expect(search.takeBlock()).toBe(2);
    expect(search.least).toBe(41);
  });

  it('skips sums below what all searchers together have found enough of', () => {
    const search = ParallelSearch.begin(4, 1);
    runHelper(search.slotOf(1), (part) => {
      part.takeBlock();
      part.offer(1, 30);
      part.offer(2, 20);
      part.takeBlock();
    });
    search.offer(7, 25);
    search.takeBlock();
    expect(search.least).toBe(1);
    search.offer(8, 26);
    search.takeBlock();
    expect(search.least).toBe(20);
    search.offer(9, 20);
    expect(search.finish()).toEqual([
      { document: 1, sum: 30 },
      { document: 8, sum: 26 },
      { document: 7, sum: 25 },
      { document: 2, sum: 20 },
    ]);
  });

  it('waits for no helper that has not begun', () => {
    const search = ParallelSearch.begin(4, 3);
    search.takeBlock();
    search.offer(7, 25);
    expect(search.finish()).toEqual([{ document: 7, sum: 25 }]);
  });

  it('fails when a helper has begun and does not end', () => {
    const search = ParallelSearch.begin(4, 2);
    const fault = new Error('the thread is gone');
    const failing = (part: SearchTask): void => {
      part.takeBlock();
      throw fault;
    };
    expect(() => runHelper(search.slotOf(2), failing)).toThrow(fault);
    search.takeBlock();
    search.offer(7, 25);
    expect(() => search.finish()).toThrow('A helper has not ended');
  });

  it('has no slot for more helpers than it was begun for', () => {
    const search = ParallelSearch.begin(4, 1);
    expect(() => runHelper(search.slotOf(2), () => undefined)).toThrow(RangeError);
    expect(search.finish()).toEqual([]);
  });
});
