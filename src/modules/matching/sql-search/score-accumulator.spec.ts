import { Seeded } from '../../../dev/eval/statistics/seeded.js';
import { ScoreAccumulator } from './score-accumulator.js';

it('gives the same sums per document as a map', () => {
  const chance = new Seeded(7);
  for (const most of [1, 50, 3_000, 1_000_000_000]) {
    const sums = new ScoreAccumulator(9 * 1_500);
    const expected = new Map<number, number>();
    for (let list = 1; list <= 9; list += 1) {
      const documents = Uint32Array.from({ length: 1_500 }, () => chance.below(most + 1));
      const weights = documents.map(() => 1 + chance.below(255));
      sums.add(documents, weights, list);
      for (const [index, document] of documents.entries()) {
        expected.set(document, (expected.get(document) ?? 0) + list * (weights[index] ?? 0));
      }
    }
    const best = [...expected].sort(([a, x], [b, y]) => y - x || a - b).map(([document]) => document);
    expect(sums.best(Infinity)).toEqual(best);
    expect(sums.best(10)).toEqual(best.slice(0, 10));
  }
});

it('of nothing is empty', () => {
  const sums = new ScoreAccumulator(0);
  sums.add(new Uint32Array(0), new Uint32Array(0), 3);
  expect(sums.best(5)).toEqual([]);
});
