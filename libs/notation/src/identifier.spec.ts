import { isIdentifier, nodeIdOf, nodePathOf } from './identifier.js';
import { childPath } from './node-path.js';

const TASK = 'task_01kb0000000000000000000000';

test('the id of a node follows from that of its task and its path, and says it again', () => {
  const path = childPath(childPath(0n, 1), 12);
  expect(nodeIdOf(TASK, path)).toBe('node_01kb0000000000000000000000_1-12');
  expect(nodePathOf(TASK, nodeIdOf(TASK, path))).toBe(path);
});

test.each([0n, -1n, 1n << 24n, 1n << 192n])('a tree has no node %d', (path) => {
  expect(() => nodeIdOf(TASK, path)).toThrow(RangeError);
});

test.each(['node_01kb0000000000000000000001_1', 'node_01kb0000000000000000000000_01', 'node_1', ''])(
  '%j is no node of the task',
  (nodeId) => {
    expect(nodePathOf(TASK, nodeId)).toBeNull();
  },
);

test('only the id of a task has nodes', () => {
  expect(() => nodeIdOf(TASK.replace('task', 'quote'), 1n)).toThrow(SyntaxError);
  expect(() => nodeIdOf('task_1', 1n)).toThrow(SyntaxError);
});

test.each(['a', 'A-z_9', 'x'.repeat(128)])('"%s" is an identifier', (text) => {
  expect(isIdentifier(text)).toBe(true);
});

test.each(['', 'a b', 'ä', 'a.b', 'a\n', 'x'.repeat(129)])('%j is no identifier', (text) => {
  expect(isIdentifier(text)).toBe(false);
});
