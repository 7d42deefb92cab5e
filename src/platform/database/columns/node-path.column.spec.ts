import { childPath } from '#libs/kernel';
import { nodePath, storedPath } from './node-path.column.js';

const CHILD = childPath(childPath(1n, 20), 3);

it('is text in the database and a number in the program', () => {
  expect(nodePath.transformer.to(CHILD)).toBe('1-20-3');
  expect(nodePath.transformer.from('1-20-3')).toBe(CHILD);
  expect(storedPath('1-20-3')).toBe(CHILD);
});

it('leaves out what a row does not have', () => {
  expect([nodePath.transformer.to(null), nodePath.transformer.to(undefined), nodePath.transformer.from(null)]).toEqual([
    null,
    undefined,
    null,
  ]);
});

it.each(['', '0', '01', '1-', '1-0', 'one'])('refuses the text %j, which names no node', (text) => {
  expect(() => storedPath(text)).toThrow(RangeError);
  expect(() => nodePath.transformer.from(text)).toThrow(RangeError);
});

it('refuses to store a number that is no path', () => {
  expect(() => nodePath.transformer.to(0n)).toThrow(RangeError);
});
