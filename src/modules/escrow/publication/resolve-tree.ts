import { type TreeProjection, wireOutcome, wireState } from '#libs/contracts';
import { nodeIdOf } from '#libs/kernel';
import type { ResolvedNode } from '../../events/tree.events.js';
import type { Worker } from './participants.js';

const NOBODY: Worker = { agentId: null, accountId: null, offerUntil: null };

/** The nodes of a tree with the agents and accounts behind their wallets; parents before children, as they come. */
export function resolveNodes(
  task: { id: string; buyerAccountId: string },
  { nodes }: Pick<TreeProjection, 'nodes'>,
  workers: ReadonlyMap<number, Worker>,
): ResolvedNode[] {
  const resolved = new Map<number, ResolvedNode>();
  for (const node of nodes) {
    const parent = resolved.get(node.parentNumber);
    const worker = workers.get(node.number) ?? NOBODY;
    const hirerAccountId = parent ? parent.workerAccountId : task.buyerAccountId;
    const accounts = [...(parent?.visibleAccountIds ?? [task.buyerAccountId]), worker.accountId];
    resolved.set(node.number, {
      id: nodeIdOf(task.id, node.number),
      parentNodeId: parent?.id ?? null,
      node,
      state: wireState(node),
      outcome: node.outcome === null ? null : wireOutcome(node.outcome),
      hirerAgentId: parent?.workerAgentId ?? task.buyerAccountId,
      hirerAccountId,
      workerAgentId: worker.agentId ?? `wallet_${node.worker}`,
      isWorkerKnown: worker.agentId !== null,
      workerAccountId: worker.accountId,
      offerUntil: worker.offerUntil,
      visibleAccountIds: [...new Set(accounts.filter((id) => id !== null))].sort(),
    });
  }
  return [...resolved.values()];
}
