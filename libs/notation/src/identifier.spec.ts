import { isIdentifier, nodeIdOf } from './identifier.js';

const TASK = 'task_01kb0000000000000000000000';

test('the id of a node follows from that of its task and its number', () => {
  expect(nodeIdOf(TASK, 12)).toBe('node_01kb0000000000000000000000_12');
});

test.each([0, -1, 1.5, 2 ** 32])('a tree has no node %d', (number) => {
  expect(() => nodeIdOf(TASK, number)).toThrow(RangeError);
});

test('only the id of a task has nodes', () => {
  expect(() => nodeIdOf(TASK.replace('task', 'quote'), 1)).toThrow(SyntaxError);
  expect(() => nodeIdOf('task_1', 1)).toThrow(SyntaxError);
});

test.each(['a', 'A-z_9', 'x'.repeat(128)])('"%s" is an identifier', (text) => {
  expect(isIdentifier(text)).toBe(true);
});

test.each(['', 'a b', 'ä', 'a.b', 'a\n', 'x'.repeat(129)])('%j is no identifier', (text) => {
  expect(isIdentifier(text)).toBe(false);
});
