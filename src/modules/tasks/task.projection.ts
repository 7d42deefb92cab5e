import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { checksumAddress, type TreeNode } from '#libs/contracts';
import { DomainEvents } from '../../platform/events/domain-events.js';
import { shownTaskIds, type TreeChanged, type TreesChanged } from '../../platform/events/tree.events.js';
import type { TaskEntity } from './task.entity.js';
import { type ChainParty, TaskParties } from './task-parties.js';
import { TaskStore } from './task-store.js';

/** What the chain says of a task: its status, its root nodes, its agent, and who is a party through the tree. */
@Injectable()
export class TaskProjection implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly tasks: TaskStore,
    private readonly parties: TaskParties,
  ) {}

  onModuleInit(): void {
    this.events.on('trees_changed', (manager, change) => this.apply(manager, change));
  }

  private async apply(manager: EntityManager, { trees }: TreesChanged): Promise<void> {
    const taskIds = trees.map(({ taskId }) => taskId);
    const tasks = await this.tasks.loadAll(manager, taskIds);
    const offersUntil = await offersOf(manager, trees);
    const changed = trees.flatMap((tree) => {
      const task = tasks.get(tree.taskId);
      if (!task) throw new Error(`Task ${tree.taskId} has facts and no row`);
      const before = derivedOf(task);
      this.tasks.settle(Object.assign(task, chainFactsOf(task, tree, offersUntil.get(tree.taskId))));
      return isDeepStrictEqual(derivedOf(task), before) ? [] : [task];
    });
    await this.tasks.saveChainFacts(manager, changed);
    await this.parties.replaceChainRoles(manager, shownTaskIds(trees), trees.flatMap(partiesOf));
  }
}

/** All that a task keeps of the chain. */
type ChainFacts = Pick<
  TaskEntity,
  'chainStatus' | 'chainUntil' | 'chainAgentId' | 'openedRoots' | 'fundedRoots' | 'refundable'
>;

function chainFactsOf({ buyerWallet }: TaskEntity, tree: TreeChanged, offerUntil: Date | undefined): ChainFacts {
  const roots = rootsOf(tree);
  const selected = selectedRoot(tree);
  return {
    chainStatus: tree.blockNumber === null || tree.status === 'draft' ? null : tree.status,
    chainUntil: selected ? new Date(Math.min(selected.deliverBy * 1000, offerUntil?.getTime() ?? Infinity)) : null,
    chainAgentId: tree.selectedAgentId,
    openedRoots: roots.map(({ number }) => number),
    refundable: tree.projection.refundOf.get(checksumAddress(buyerWallet)) ?? 0n,
    fundedRoots: roots.filter(({ fundedAt }) => fundedAt !== null).map(({ number }) => number),
  };
}

function rootsOf({ nodes }: TreeChanged): TreeNode[] {
  return nodes.flatMap(({ parentNodeId, node }) => (parentNodeId === null ? [node] : []));
}

/** The root node that waits for its money, where the task does. */
function selectedRoot(tree: TreeChanged): TreeNode | undefined {
  return tree.status === 'selected' ? rootsOf(tree).at(-1) : undefined;
}

/**
 * The last moment to fund a selected node, by task. No event carries the offer's own limit; the offer itself does, and it is
 * read here by its table for the reason that is given in escrow/publication/participants.ts. Without it, the delivery deadline
 * is the latest that it can be.
 */
async function offersOf(manager: EntityManager, trees: readonly TreeChanged[]): Promise<Map<string, Date>> {
  const selected = trees.flatMap((tree) => {
    const root = selectedRoot(tree);
    return root ? [{ taskId: tree.taskId, root }] : [];
  });
  if (selected.length === 0) return new Map();
  const rows = await manager.query<{ task_id: string; valid_until: Date }[]>(OFFERS, [
    selected.map(({ taskId }) => taskId),
    selected.map(({ root }) => root.number),
    selected.map(({ root }) => root.worker),
  ]);
  return new Map(rows.map(({ task_id, valid_until }) => [task_id, valid_until]));
}

const OFFERS = `SELECT offer.task_id, offer.valid_until FROM unnest($1::text[], $2::integer[], $3::text[])
    AS taken (task_id, number, wallet)
  JOIN quotes offer
    ON offer.task_id = taken.task_id AND offer.node_number = taken.number AND offer.worker_wallet = taken.wallet`;

/** What follows from the facts, and they themselves. */
function derivedOf(task: TaskEntity): ChainFacts & Pick<TaskEntity, 'status' | 'selectedAgentId' | 'statusDueAt'> {
  const { chainStatus, chainUntil, chainAgentId, openedRoots, fundedRoots, refundable } = task;
  const { status, selectedAgentId, statusDueAt } = task;
  const facts = { chainStatus, chainUntil, chainAgentId, openedRoots, fundedRoots, refundable };
  return { ...facts, status, selectedAgentId, statusDueAt };
}

/** The buyer, who hires for the root nodes, is a party from the beginning and not by the chain. */
function partiesOf({ taskId, selectedAccountId, nodes }: TreeChanged): ChainParty[] {
  const parties: { accountId: string | null; role: ChainParty['role'] }[] = [
    { accountId: selectedAccountId, role: 'selected' },
    ...nodes.map(({ workerAccountId }) => ({ accountId: workerAccountId, role: 'worker' as const })),
    ...nodes
      .filter(({ parentNodeId }) => parentNodeId !== null)
      .map(({ hirerAccountId }) => ({ accountId: hirerAccountId, role: 'hirer' as const })),
  ];
  const known = parties.flatMap(({ accountId, role }) => (accountId === null ? [] : [{ taskId, accountId, role }]));
  return [...new Map(known.map((party) => [`${party.role} ${party.accountId}`, party])).values()];
}
