import { NodeState } from './node-states.js';
import { decidingRoot, type TaskStatus, taskStatusOf } from './task-status.js';
import type { TreeNode, TreeProjection } from './tree-projection.types.js';

const created = {} as NonNullable<TreeProjection['created']>;
const root = (state: NodeState, number = 1, fundedAt = number) => {
  const funded = state === NodeState.Selected ? null : { at: fundedAt };
  return { number, parentNumber: 0, state, fundedAt: funded } as TreeNode;
};
const child = (state: NodeState) => ({ ...root(state, 3), parentNumber: 1 });

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

test('a task is a draft until create_task is on chain, and then open', () => {
  expect(taskStatusOf({ created: null, nodes: [] })).toBe('draft');
  expect(taskStatusOf({ created, nodes: [] })).toBe('open');
});

test.each(byState)('a root node in chain state %d makes the task %s', (state, status) => {
  expect(taskStatusOf({ created, nodes: [root(state)] })).toBe(status);
  expect(taskStatusOf({ created: null, nodes: [root(state)] })).toBe(status);
});

const ENDED: NodeState[] = [NodeState.Settled, NodeState.Refunded, NodeState.Abandoned];
const paid = byState.filter(([state]) => state !== NodeState.Selected);

test.each(paid)(
  'the root that was paid last, in chain state %d, decides over ended ones and children',
  (state, status) => {
    for (const other of [...ENDED, NodeState.Selected]) {
      expect(taskStatusOf({ created, nodes: [root(other), child(other), root(state, 2), child(other)] })).toBe(status);
      expect(taskStatusOf({ created, nodes: [root(state, 2, 9), root(other, 1)] })).toBe(
        status === 'refunded' && other === NodeState.Selected ? 'selected' : status,
      );
    }
  },
);

test('a root that holds money decides over whatever was opened, paid or ended after it', () => {
  for (const [state, status] of paid.filter(([one]) => !ENDED.includes(one))) {
    for (const other of [...ENDED, NodeState.Selected]) {
      expect(taskStatusOf({ created, nodes: [root(state), root(other, 2)] })).toBe(status);
    }
    expect(taskStatusOf({ created, nodes: [root(NodeState.Funded), root(state, 2)] })).toBe(status);
  }
});

test('a selection that comes after the work was paid changes nothing; after a refund the buyer hires again', () => {
  const late = root(NodeState.Selected, 2);
  expect(taskStatusOf({ created, nodes: [root(NodeState.Settled), late] })).toBe('resolved');
  expect(taskStatusOf({ created, nodes: [root(NodeState.Refunded), late] })).toBe('selected');
  expect(taskStatusOf({ created, nodes: [root(NodeState.Abandoned), late] })).toBe('selected');
  // The one that was opened before the refunded one is no new choice.
  expect(taskStatusOf({ created, nodes: [late, root(NodeState.Refunded)] })).toBe('refunded');
});

test('roots that were paid within one second are told apart by their numbers', () => {
  const nodes = [root(NodeState.Settled, 2, 5), root(NodeState.Refunded, 1, 5)];
  expect(decidingRoot(nodes)?.number).toBe(2);
  expect(decidingRoot([])).toBeUndefined();
});
