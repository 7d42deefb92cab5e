import { NodeState } from './node-states.js';
import { type TaskStatus, taskStatusOf } from './task-status.js';
import type { TreeNode, TreeProjection } from './tree-projection.js';

const created = {} as NonNullable<TreeProjection['created']>;
const root = (state: NodeState) => ({ parentNumber: 0, state }) as TreeNode;
const child = (state: NodeState) => ({ parentNumber: 1, state }) as TreeNode;

const byState: [NodeState, TaskStatus][] = [
  [NodeState.Selected, 'selected'],
  [NodeState.Funded, 'funded'],
  [NodeState.Delivered, 'delivered'],
  [NodeState.Rejected, 'rejected'],
  [NodeState.Disputed, 'disputed'],
  [NodeState.Settled, 'resolved'],
  [NodeState.Refunded, 'refunded'],
  [NodeState.Abandoned, 'refunded'],
];
const states = byState.map(([state]) => state);

test('a task is a draft until create_task is on chain, and then open', () => {
  expect(taskStatusOf({ created: null, nodes: [] })).toBe('draft');
  expect(taskStatusOf({ created, nodes: [] })).toBe('open');
});

test.each(byState)('a root node in chain state %d makes the task %s', (state, status) => {
  expect(taskStatusOf({ created, nodes: [root(state)] })).toBe(status);
  expect(taskStatusOf({ created: null, nodes: [root(state)] })).toBe(status);
});

test.each(byState)('the newest root, in chain state %d, decides whatever came before and below', (state, status) => {
  for (const other of states) {
    const nodes = [root(other), child(other), root(state), child(other)];
    expect(taskStatusOf({ created, nodes })).toBe(status);
  }
});
