import { differingRows } from './differing-rows.js';

it.each([
  ['equal rows in another order', ['a', 'b', 'a'], ['b', 'a', 'a'], 0],
  ['a row that is missing', ['a', 'b'], ['a'], 1],
  ['a row too many', ['a'], ['a', 'a'], 1],
  ['a row that has changed', ['a', 'b'], ['a', 'c'], 2],
  ['nothing', [], [], 0],
] as const)('counts the rows that differ: %s', (_what, some, others, count) => {
  expect(differingRows(some, others)).toBe(count);
});
