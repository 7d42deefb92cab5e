import { backersOf, effectiveState, isClosedByAncestor, wireState, withdrawableOf } from './node-clock.js';
import { NodeState } from './node-states.js';
import type { TreeNode } from './tree-projection.types.js';

const CLOCK = 1_800_000_000;
const everyState = Object.entries(NodeState).map(([name, state]) => ({ name, state }));

function node(number: number, parentNumber: number, state: NodeState, more: Partial<TreeNode> = {}): TreeNode {
  const money = { pool: 100n, allocated: 0n, hirerFunded: parentNumber === 0 };
  return { number, parentNumber, state, clock: CLOCK, ...money, ...more } as TreeNode;
}

test.each(everyState)('until the very second of its clock a node in state $name stays what it is', ({ state }) => {
  expect(effectiveState({ state, clock: CLOCK }, CLOCK - 1)).toBe(state);
  expect(effectiveState({ state, clock: CLOCK }, CLOCK)).toBe(state);
});

test.each(everyState)('one second past its clock a node in state $name is what silence makes of it', ({ state }) => {
  const lapsed: Partial<Record<NodeState, NodeState>> = {
    [NodeState.Delivered]: NodeState.Settled,
    [NodeState.Rejected]: NodeState.Refunded,
    [NodeState.Disputed]: NodeState.Settled,
  };
  expect(effectiveState({ state, clock: CLOCK }, CLOCK + 1)).toBe(lapsed[state] ?? state);
});

test('the wire shows the stored state, and nothing of a node that waits for its money', () => {
  expect(wireState({ state: NodeState.Selected })).toBeNull();
  expect(wireState({ state: NodeState.Settled })).toBe('released');
});

test('the backers of a node end at the first that its hirer paid for', () => {
  const nodes = [
    node(1, 0, NodeState.Funded),
    node(2, 1, NodeState.Funded, { hirerFunded: true }),
    node(3, 2, NodeState.Funded),
    node(4, 3, NodeState.Funded),
  ];
  expect(backersOf(nodes, nodes[3]!).map(({ number }) => number)).toEqual([3, 2]);
  expect(backersOf(nodes, nodes[1]!)).toEqual([]);
});

test('a missing or circular backer is an error', () => {
  expect(() => backersOf([], node(2, 1, NodeState.Funded))).toThrow(RangeError);
  const knot = [node(1, 2, NodeState.Funded), node(2, 1, NodeState.Funded)];
  expect(() => backersOf(knot, knot[0]!)).toThrow(RangeError);
});

test.each(everyState)('a backer in state $name closes its children only when its money went back', ({ state }) => {
  const nodes = [node(1, 0, state), node(2, 1, NodeState.Funded), node(3, 2, NodeState.Funded)];
  const closed = state === NodeState.Refunded || state === NodeState.Abandoned;
  expect(isClosedByAncestor(nodes, nodes[2]!, CLOCK)).toBe(closed);
  expect(isClosedByAncestor(nodes, nodes[2]!, CLOCK + 1)).toBe(closed || state === NodeState.Rejected);
  expect(isClosedByAncestor(nodes, nodes[0]!, CLOCK)).toBe(false);
});

test('a child is paid once it and every backer are settled', () => {
  const tree = (root: NodeState, middle: NodeState) => [
    node(1, 0, root, { allocated: 60n }),
    node(2, 1, middle, { pool: 60n, allocated: 20n }),
    node(3, 2, NodeState.Settled, { pool: 20n }),
  ];
  const leafOf = (nodes: TreeNode[], now = CLOCK) => withdrawableOf(nodes, nodes[2]!, now);
  expect(leafOf(tree(NodeState.Settled, NodeState.Settled))).toBe(20n);
  expect(leafOf(tree(NodeState.Delivered, NodeState.Settled))).toBe(0n);
  expect(leafOf(tree(NodeState.Delivered, NodeState.Settled), CLOCK + 1)).toBe(20n);
  expect(leafOf(tree(NodeState.Settled, NodeState.Refunded))).toBe(0n);
  const settled = tree(NodeState.Settled, NodeState.Settled);
  expect(withdrawableOf(settled, settled[1]!, CLOCK)).toBe(40n);
});

test.each<[pool: bigint, allocated: bigint, own: bigint]>([
  [100n, 0n, 50n],
  [101n, 0n, 50n],
  [1n, 0n, 0n],
  [100n, 30n, 20n],
  [100n, 80n, 0n],
])('a lapsed ruling over %d with %d promised to children pays the worker %d', (pool, allocated, own) => {
  const disputed = node(1, 0, NodeState.Disputed, { pool, allocated });
  expect(withdrawableOf([disputed], disputed, CLOCK)).toBe(0n);
  expect(withdrawableOf([disputed], disputed, CLOCK + 1)).toBe(own);
});
