import { childPath, parentPath } from '#libs/kernel';
import { backersOf, effectiveState, isClosedByAncestor, wireState, withdrawableOf } from './node-clock.js';
import { NodeState } from './node-states.js';
import type { TreeNode } from './tree-projection.types.js';

const CLOCK = 1_800_000_000;
const everyState = Object.entries(NodeState).map(([name, state]) => ({ name, state }));

const ROOT = 1n;
const CHILD = childPath(ROOT, 3);
const GRANDCHILD = childPath(CHILD, 1);
const LEAF = childPath(GRANDCHILD, 2);

function node(path: bigint, state: NodeState, more: Partial<TreeNode> = {}): TreeNode {
  const money = { pool: 100n, floor: 50n, allocated: 0n, hirerFunded: parentPath(path) === 0n };
  return { path, state, clock: CLOCK, ...money, ...more } as TreeNode;
}

test.each(everyState)('until the very second of its clock a node in state $name stays what it is', ({ state }) => {
  expect(effectiveState({ state, clock: CLOCK, floor: 1n }, CLOCK - 1)).toBe(state);
  expect(effectiveState({ state, clock: CLOCK, floor: 1n }, CLOCK)).toBe(state);
});

test.each(everyState)('one second past its clock a node in state $name is what silence makes of it', ({ state }) => {
  const lapsed: Partial<Record<NodeState, NodeState>> = {
    [NodeState.Delivered]: NodeState.Settled,
    [NodeState.Rejected]: NodeState.Refunded,
    [NodeState.Disputed]: NodeState.Settled,
  };
  expect(effectiveState({ state, clock: CLOCK, floor: 1n }, CLOCK + 1)).toBe(lapsed[state] ?? state);
});

test('a silent arbiter of a node without a floor has sent the money back', () => {
  const disputed = { state: NodeState.Disputed, clock: CLOCK, floor: 0n };
  expect(effectiveState(disputed, CLOCK)).toBe(NodeState.Disputed);
  expect(effectiveState(disputed, CLOCK + 1)).toBe(NodeState.Refunded);
});

test('the wire shows the stored state, and nothing where there is no node', () => {
  expect(wireState({ state: NodeState.None })).toBeNull();
  expect(wireState({ state: NodeState.Settled })).toBe('released');
});

test('the backers of a node end at the first that its hirer paid for', () => {
  const nodes = [
    node(ROOT, NodeState.Funded),
    node(CHILD, NodeState.Funded, { hirerFunded: true }),
    node(GRANDCHILD, NodeState.Funded),
    node(LEAF, NodeState.Funded),
  ];
  expect(backersOf(nodes, nodes[3]!).map(({ path }) => path)).toEqual([GRANDCHILD, CHILD]);
  expect(backersOf(nodes, nodes[1]!)).toEqual([]);
});

test('a missing backer is an error, also above a root that claims to have one', () => {
  expect(() => backersOf([], node(CHILD, NodeState.Funded))).toThrow(RangeError);
  expect(() => backersOf([], node(ROOT, NodeState.Funded, { hirerFunded: false }))).toThrow(RangeError);
});

test.each(everyState)('a backer in state $name closes its children only when its money went back', ({ state }) => {
  const nodes = [node(ROOT, state), node(CHILD, NodeState.Funded), node(GRANDCHILD, NodeState.Funded)];
  const closed = state === NodeState.Refunded || state === NodeState.Abandoned;
  expect(isClosedByAncestor(nodes, nodes[2]!, CLOCK)).toBe(closed);
  expect(isClosedByAncestor(nodes, nodes[2]!, CLOCK + 1)).toBe(closed || state === NodeState.Rejected);
  expect(isClosedByAncestor(nodes, nodes[0]!, CLOCK)).toBe(false);
});

test('a child is paid once it and every backer are settled', () => {
  const tree = (root: NodeState, middle: NodeState) => [
    node(ROOT, root, { allocated: 60n }),
    node(CHILD, middle, { pool: 60n, allocated: 20n }),
    node(GRANDCHILD, NodeState.Settled, { pool: 20n }),
  ];
  const leafOf = (nodes: TreeNode[], now = CLOCK) => withdrawableOf(nodes, nodes[2]!, now);
  expect(leafOf(tree(NodeState.Settled, NodeState.Settled))).toBe(20n);
  expect(leafOf(tree(NodeState.Delivered, NodeState.Settled))).toBe(0n);
  expect(leafOf(tree(NodeState.Delivered, NodeState.Settled), CLOCK + 1)).toBe(20n);
  expect(leafOf(tree(NodeState.Settled, NodeState.Refunded))).toBe(0n);
  const settled = tree(NodeState.Settled, NodeState.Settled);
  expect(withdrawableOf(settled, settled[1]!, CLOCK)).toBe(40n);
});

test.each<[pool: bigint, floor: bigint, allocated: bigint, own: bigint]>([
  [100n, 50n, 0n, 50n],
  [100n, 0n, 0n, 0n],
  [100n, 100n, 0n, 100n],
  [100n, 50n, 30n, 20n],
  [100n, 50n, 50n, 0n],
  [1n, 1n, 0n, 1n],
])(
  'a lapsed ruling over %d with floor %d and %d promised to children pays the worker %d',
  (pool, floor, allocated, own) => {
    const disputed = node(ROOT, NodeState.Disputed, { pool, floor, allocated });
    expect(withdrawableOf([disputed], disputed, CLOCK)).toBe(0n);
    expect(withdrawableOf([disputed], disputed, CLOCK + 1)).toBe(own);
  },
);
