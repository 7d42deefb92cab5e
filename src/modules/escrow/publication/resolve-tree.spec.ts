import { NodeState, Outcome, type TreeNode } from '#libs/contracts';
import { resolveNodes } from './resolve-tree.js';

const TASK = { id: `task_${'0'.repeat(26)}`, buyerAccountId: 'acct_buyer' };
const WALLET = `0x${'11'.repeat(20)}` as const;

const node = (number: number, parentNumber: number, own: Partial<TreeNode> = {}): TreeNode =>
  ({ number, parentNumber, worker: WALLET, state: NodeState.Funded, outcome: null, ...own }) as TreeNode;
const known = (name: string) => ({ agentId: `agent_${name}`, accountId: `acct_${name}`, offerUntil: null });

describe('resolveNodes', () => {
  it('names who hires and who works, level by level, and who may see each node', () => {
    const nodes = [node(1, 0), node(2, 1), node(3, 2), node(4, 1)];
    const workers = new Map([
      [1, known('z')],
      [2, known('b')],
      [3, known('c')],
      [4, known('z')],
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
    const workers = new Map([[2, { agentId: null, accountId: 'acct_alone', offerUntil: null }]]);
    const [root, child] = resolveNodes(TASK, { nodes: [node(1, 0), node(2, 1)] }, workers);
    expect(root).toMatchObject({ workerAgentId: `wallet_${WALLET}`, isWorkerKnown: false, workerAccountId: null });
    expect(child).toMatchObject({
      hirerAgentId: `wallet_${WALLET}`,
      hirerAccountId: null,
      workerAccountId: 'acct_alone',
    });
    expect(child?.visibleAccountIds).toEqual(['acct_alone', 'acct_buyer']);
  });

  it("uses the interface's names for states and outcomes; a selected node has none yet", () => {
    const ended = { state: NodeState.Abandoned, outcome: Outcome.Abandoned };
    const nodes = [node(1, 0, { state: NodeState.Selected }), node(2, 0, ended)];
    const [selected, abandoned] = resolveNodes(TASK, { nodes }, new Map());
    expect(selected).toMatchObject({ state: null, outcome: null });
    expect(abandoned).toMatchObject({ state: 'refunded', outcome: 'abandoned' });
  });
});
