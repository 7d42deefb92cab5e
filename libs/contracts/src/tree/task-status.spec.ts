import { childPath } from '#libs/kernel';
import { NodeState } from './node-states.js';
import { decidingRoot, type TaskStatus, taskStatusOf } from './task-status.js';
import type { TreeNode } from './tree-projection.types.js';

const root = (state: NodeState, path = 1n) => ({ path, state }) as TreeNode;
const child = (state: NodeState) => root(state, childPath(1n, 3));

const byState: [NodeState, TaskStatus][] = [
  [NodeState.Funded, 'funded'],
  [NodeState.Delivered, 'delivered'],
  [NodeState.Rejected, 'rejected'],
  [NodeState.Disputed, 'disputed'],
  [NodeState.Settled, 'resolved'],
  [NodeState.Refunded, 'refunded'],
  [NodeState.Abandoned, 'refunded'],
];
const ENDED: NodeState[] = [NodeState.Settled, NodeState.Refunded, NodeState.Abandoned];

test('until a root is funded the chain says nothing about the status of its task', () => {
  expect(taskStatusOf({ nodes: [] })).toBeNull();
  expect(decidingRoot([])).toBeUndefined();
});

test.each(byState)('a root node in chain state %d makes the task %s', (state, status) => {
  expect(taskStatusOf({ nodes: [root(state)] })).toBe(status);
});

test.each(byState)(
  'the root that was paid last, in chain state %d, decides over ended ones and children',
  (state, status) => {
    for (const other of ENDED) {
      expect(taskStatusOf({ nodes: [root(other), child(other), root(state, 2n), child(other)] })).toBe(status);
      // Its id says nothing: a buyer may fund the second root before the first.
      expect(taskStatusOf({ nodes: [root(other, 2n), root(state)] })).toBe(status);
    }
  },
);

test('a root that holds money decides over whatever was paid or ended after it', () => {
  for (const [state, status] of byState.filter(([one]) => !ENDED.includes(one))) {
    for (const other of ENDED) expect(taskStatusOf({ nodes: [root(state), root(other, 2n)] })).toBe(status);
    expect(taskStatusOf({ nodes: [root(NodeState.Funded), root(state, 2n)] })).toBe(status);
  }
});
