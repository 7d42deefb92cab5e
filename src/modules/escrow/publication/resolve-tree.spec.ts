import { NodeState, Outcome, type TreeNode } from '#libs/contracts';
import { childPath } from '#libs/kernel';
import { resolveNodes } from './resolve-tree.js';

const TASK = { id: `task_${'0'.repeat(26)}`, buyerAccountId: 'acct_buyer' };
const WALLET = `0x${'11'.repeat(20)}` as const;

const CHILD = childPath(1n, 2);
const node = (path: bigint, own: Partial<TreeNode> = {}): TreeNode =>
  ({ path, worker: WALLET, state: NodeState.Funded, outcome: null, ...own }) as TreeNode;
const known = (name: string) => ({ agentId: `agent_${name}`, accountId: `acct_${name}` });

describe('resolveNodes', () => {
  it('names who hires and who works, level by level, and who may see each node', () => {
    const nodes = [node(1n), node(CHILD), node(childPath(CHILD, 3)), node(childPath(1n, 4))];
    const workers = new Map([
      [1n, known('z')],
      [CHILD, known('b')],
      [childPath(CHILD, 3), known('c')],
      [childPath(1n, 4), known('z')],
    ]);
    const resolved = resolveNodes(TASK, { nodes }, workers);
    expect(resolved.map((one) => [one.hirerAgentId, one.hirerAccountId, one.workerAgentId])).toEqual([
      ['acct_buyer', 'acct_buyer', 'agent_z'],
      ['agent_z', 'acct_z', 'agent_b'],
      ['agent_b', 'acct_b', 'agent_c'],
      ['agent_z', 'acct_z', 'agent_z'],
    ]);
    expect(resolved.map(({ visibleAccountIds }) => visibleAccountIds)).toEqual([
      ['acct_buyer', 'acct_z'],
      ['acct_b', 'acct_buyer', 'acct_z'],
      ['acct_b', 'acct_buyer', 'acct_c', 'acct_z'],
      ['acct_buyer', 'acct_z'],
    ]);
    expect(resolved.map(({ parentNodeId }) => parentNodeId)).toEqual([
      null,
      resolved[0]?.id,
      resolved[1]?.id,
      resolved[0]?.id,
    ]);
  });

  it('shows a worker that nobody knows by its wallet, also as the hirer below', () => {
    const workers = new Map([[CHILD, { agentId: null, accountId: 'acct_alone' }]]);
    const [root, child] = resolveNodes(TASK, { nodes: [node(1n), node(CHILD)] }, workers);
    expect(root).toMatchObject({ workerAgentId: `wallet_${WALLET}`, isWorkerKnown: false, workerAccountId: null });
    expect(child).toMatchObject({
      hirerAgentId: `wallet_${WALLET}`,
      hirerAccountId: null,
      workerAccountId: 'acct_alone',
    });
    expect(child?.visibleAccountIds).toEqual(['acct_alone', 'acct_buyer']);
  });

  it("uses the interface's names for states and outcomes, and refuses a node without money", () => {
    const ended = { state: NodeState.Abandoned, outcome: Outcome.Abandoned };
    const [funded, abandoned] = resolveNodes(TASK, { nodes: [node(1n), node(2n, ended)] }, new Map());
    expect(funded).toMatchObject({ state: 'funded', outcome: null });
    expect(abandoned).toMatchObject({ state: 'refunded', outcome: 'abandoned' });
    const nothing = [node(1n, { state: NodeState.None })];
    expect(() => resolveNodes(TASK, { nodes: nothing }, new Map())).toThrow(RangeError);
  });
});
