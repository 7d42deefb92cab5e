import { type TreeNode, type TreeProjection, type WireNodeState, wireOutcome, wireState } from '#libs/contracts';
import { nodeIdOf, parentPath, pathText } from '#libs/kernel';
import type { ResolvedNode } from '../../events/tree.events.js';
import type { Worker } from './participants.js';

const NOBODY: Worker = { agentId: null, accountId: null };

function stateOf(node: TreeNode): WireNodeState {
  const state = wireState(node);
  if (state === null) throw new RangeError(`Node ${pathText(node.path)} is not funded`);
  return state;
}

/** The nodes of a tree with the agents and accounts behind their wallets; parents before children, as they come. */
export function resolveNodes(
  task: { id: string; buyerAccountId: string },
  { nodes }: Pick<TreeProjection, 'nodes'>,
  workers: ReadonlyMap<bigint, Worker>,
): ResolvedNode[] {
  const resolved = new Map<bigint, ResolvedNode>();
  for (const node of nodes) {
    const parent = resolved.get(parentPath(node.path));
    const worker = workers.get(node.path) ?? NOBODY;
    const hirerAccountId = parent ? parent.workerAccountId : task.buyerAccountId;
    const accounts = [...(parent?.visibleAccountIds ?? [task.buyerAccountId]), worker.accountId];
    resolved.set(node.path, {
      id: nodeIdOf(task.id, node.path),
      parentNodeId: parent?.id ?? null,
      node,
      state: stateOf(node),
      outcome: node.outcome === null ? null : wireOutcome(node.outcome),
      hirerAgentId: parent?.workerAgentId ?? task.buyerAccountId,
      hirerAccountId,
      workerAgentId: worker.agentId ?? `wallet_${node.worker}`,
      isWorkerKnown: worker.agentId !== null,
      workerAccountId: worker.accountId,
      visibleAccountIds: [...new Set(accounts.filter((id) => id !== null))].sort(),
    });
  }
  return [...resolved.values()];
}
