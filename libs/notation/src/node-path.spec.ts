import {
  childPath,
  isNodePath,
  MAX_LEVELS,
  MAX_NODE_INDEX,
  parentPath,
  pathIndex,
  pathLevel,
  pathText,
  readPathText,
} from './node-path.js';

/** Numbers below `n`, the same ones on every run. */
function randomness(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 2 ** 31) * n);
  };
}

const random = randomness(26);
const indexOf = (): number => [1, MAX_NODE_INDEX, 1 + random(9), 1 + random(MAX_NODE_INDEX)][random(4)]!;
const places = Array.from({ length: 500 }, (_, at) => Array.from({ length: 1 + (at % MAX_LEVELS) }, indexOf));
const pathOf = (indexes: readonly number[]): bigint => indexes.reduce(childPath, 0n);

test('an example that can be read off: the first child of the second child of the first root', () => {
  expect(pathOf([1, 2, 1])).toBe(0x000001_000002_000001n);
  expect(pathText(0x000001_000002_000001n)).toBe('1-2-1');
  expect(readPathText('1')).toBe(1n);
});

test('a path gives back every index that it was made of, and no two places have one path or one text', () => {
  for (const indexes of places) {
    const path = pathOf(indexes);
    expect(isNodePath(path)).toBe(true);
    expect(pathLevel(path)).toBe(indexes.length);
    expect(pathIndex(path)).toBe(indexes.at(-1));
    expect(parentPath(path)).toBe(pathOf(indexes.slice(0, -1)));
    expect(pathText(path)).toBe(indexes.join('-'));
    expect(readPathText(pathText(path))).toBe(path);
    expect(path >> 192n).toBe(0n);
  }
  const texts = new Set(places.map((indexes) => indexes.join('-')));
  expect(new Set(places.map(pathOf)).size).toBe(texts.size);
});

test('the whole way up ends at the buyer', () => {
  for (const indexes of places) {
    let path = pathOf(indexes);
    for (let level = indexes.length; level > 0; level -= 1) path = parentPath(path);
    expect([path, pathLevel(path)]).toEqual([0n, 0]);
  }
});

test('below the eighth level there is nothing', () => {
  const deepest = pathOf(Array.from({ length: MAX_LEVELS }, () => 1));
  expect(pathLevel(deepest)).toBe(MAX_LEVELS);
  expect(() => childPath(deepest, 1)).toThrow(RangeError);
  expect(readPathText('1-1-1-1-1-1-1-1-1')).toBeNull();
});

test.each([0, -1, 1.5, 2 ** 24, Number.NaN])('a parent has no child %d', (index) => {
  expect(() => childPath(0n, index)).toThrow(RangeError);
});

test.each([0n, -1n, 1n << 24n, (1n << 48n) | 1n, 1n << 192n, (1n << 192n) | 1n])('no node has the id %d', (path) => {
  expect(isNodePath(path)).toBe(false);
  expect(() => pathText(path)).toThrow(RangeError);
});

test('what is no path has no children', () => {
  expect(() => childPath(-1n, 1)).toThrow(RangeError);
  expect(() => childPath(1n << 24n, 1)).toThrow(RangeError);
});

test.each(['', '0', '01', '1-', '-1', '1-0', '1--1', '1_2', ' 1', '1\n', '16777216', '99999999', '1e3', '+1', '１'])(
  '%j is not the text of a path',
  (text) => {
    expect(readPathText(text)).toBeNull();
  },
);
