import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { checksumAddress, type TreeNode } from '#libs/contracts';
import { DomainEvents } from '../../platform/events/domain-events.js';
import type { TreeChanged } from '../../platform/events/tree.events.js';
import type { TaskEntity } from './task.entity.js';
import { TaskParties } from './task-parties.js';
import { TaskStore } from './task-store.js';

type ChainParty = Parameters<TaskParties['replaceChainRoles']>[2][number];

/** What the chain says of a task: its status, its root nodes, its agent, and who is a party through the tree. */
@Injectable()
export class TaskProjection implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly tasks: TaskStore,
    private readonly parties: TaskParties,
  ) {}

  onModuleInit(): void {
    this.events.on('tree_changed', (manager, change) => this.apply(manager, change));
  }

  private async apply(manager: EntityManager, change: TreeChanged): Promise<void> {
    const { taskId } = change;
    const task = await this.tasks.load(manager, taskId, { lock: true });
    if (!task) throw new Error(`Task ${taskId} has facts and no row`);
    const before = derivedOf(task);
    this.tasks.settle(Object.assign(task, await chainFactsOf(manager, task, change)));
    if (!isDeepStrictEqual(derivedOf(task), before)) await this.tasks.save(manager, task);
    await this.parties.replaceChainRoles(manager, taskId, partiesOf(change));
  }
}

/** All that a task keeps of the chain. */
type ChainFacts = Pick<
  TaskEntity,
  'chainStatus' | 'chainUntil' | 'chainAgentId' | 'openedRoots' | 'fundedRoots' | 'refundable'
>;

async function chainFactsOf(
  manager: EntityManager,
  { buyerWallet }: TaskEntity,
  change: TreeChanged,
): Promise<ChainFacts> {
  const roots = change.nodes.filter(({ parentNodeId }) => parentNodeId === null).map(({ node }) => node);
  const newest = roots.at(-1);
  const isSelected = change.status === 'selected' && newest !== undefined;
  return {
    chainStatus: change.blockNumber === null || change.status === 'draft' ? null : change.status,
    chainUntil: isSelected ? await fundableUntil(manager, change.taskId, newest) : null,
    chainAgentId: change.selectedAgentId,
    openedRoots: roots.map(({ number }) => number),
    refundable: change.projection.refundOf.get(checksumAddress(buyerWallet)) ?? 0n,
    fundedRoots: roots.filter(({ fundedAt }) => fundedAt !== null).map(({ number }) => number),
  };
}

/**
 * The last moment to fund a selected node. No event carries the offer's own limit; the offer itself does, and it is read
 * here by its table for the reason that is given in escrow/indexer/participants.ts. Without it, the delivery deadline is the latest that it
 * can be.
 */
async function fundableUntil(manager: EntityManager, taskId: string, node: TreeNode): Promise<Date> {
  const [offer] = await manager.query<{ valid_until: Date }[]>(
    'SELECT valid_until FROM quotes WHERE task_id = $1 AND node_number = $2 AND worker_wallet = $3',
    [taskId, node.number, node.worker],
  );
  return new Date(Math.min(node.deliverBy * 1000, offer?.valid_until.getTime() ?? Infinity));
}

/** What follows from the facts, and they themselves. */
function derivedOf(task: TaskEntity): ChainFacts & Pick<TaskEntity, 'status' | 'selectedAgentId' | 'statusDueAt'> {
  const { chainStatus, chainUntil, chainAgentId, openedRoots, fundedRoots, refundable } = task;
  const { status, selectedAgentId, statusDueAt } = task;
  const facts = { chainStatus, chainUntil, chainAgentId, openedRoots, fundedRoots, refundable };
  return { ...facts, status, selectedAgentId, statusDueAt };
}

/** The buyer, who hires for the root nodes, is a party from the beginning and not by the chain. */
function partiesOf({ selectedAccountId, nodes }: TreeChanged): ChainParty[] {
  const parties: { accountId: string | null; role: ChainParty['role'] }[] = [
    { accountId: selectedAccountId, role: 'selected' },
    ...nodes.map(({ workerAccountId }) => ({ accountId: workerAccountId, role: 'worker' as const })),
    ...nodes
      .filter(({ parentNodeId }) => parentNodeId !== null)
      .map(({ hirerAccountId }) => ({ accountId: hirerAccountId, role: 'hirer' as const })),
  ];
  const known = parties.flatMap(({ accountId, role }) => (accountId === null ? [] : [{ accountId, role }]));
  return [...new Map(known.map((party) => [`${party.role} ${party.accountId}`, party])).values()];
}
