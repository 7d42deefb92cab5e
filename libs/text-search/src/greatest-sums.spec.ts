import { GreatestSums } from './greatest-sums.js';

/** What a search for `limit` sums has after these documents, given as pairs with their sums. */
function found(limit: number, ...offered: [document: number, sum: number][]): [number, number][] {
  const search = new GreatestSums(limit);
  for (const [document, sum] of offered) if (sum >= search.least) search.offer(document, sum);
  return search.finish().map(({ document, sum }) => [document, sum]);
}

it('has all documents with the greatest sums, the greatest first, of equal ones the lowest number', () => {
  expect(found(2, [9, 5], [4, 3], [7, 5], [1, 8], [2, 8], [3, 4])).toEqual([
    [1, 8],
    [2, 8],
    [7, 5],
    [9, 5],
  ]);
});

it('is not filled by equal ones, however many there are', () => {
  const equal = Array.from({ length: 1_000 }, (_, n): [number, number] => [n, 9]);
  const all = found(2, ...equal, [5_000, 1]);
  expect([all.length, all.at(-1)]).toEqual([1_001, [5_000, 1]]);
});

it('finds nothing where nothing is offered', () => {
  expect(found(3)).toEqual([]);
});
