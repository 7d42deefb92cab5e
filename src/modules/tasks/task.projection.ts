import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { checksumAddress, type TreeNode } from '#libs/contracts';
import { DomainEvents } from '../events/domain-events.js';
import { shownTaskIds, type TreeChanged, type TreesChanged } from '../events/tree.events.js';
import type { TaskEntity } from './task/task.entity.js';
import { type ChainParty, TaskParties } from './visibility/task-parties.js';
import { TaskStore } from './task-store.js';

/** Copies chain facts into tasks when trees change: status, root nodes, agent and parties. */
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

/** The columns of a task that come from the chain. */
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

/** The root node that waits for funding; undefined unless the task is `selected` on the chain. */
function selectedRoot(tree: TreeChanged): TreeNode | undefined {
  return tree.status === 'selected' ? rootsOf(tree).at(-1) : undefined;
}

/**
 * The `valid_until` of the selected offer, by task id. No chain event carries it, so it is read from the quotes table;
 * escrow/publication/participants.ts explains why by SQL. Without an offer, the delivery deadline is the limit.
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

/** The chain facts and the columns computed from them; to see whether the task changed. */
function derivedOf(task: TaskEntity): ChainFacts & Pick<TaskEntity, 'status' | 'selectedAgentId' | 'statusDueAt'> {
  const { chainStatus, chainUntil, chainAgentId, openedRoots, fundedRoots, refundable } = task;
  const { status, selectedAgentId, statusDueAt } = task;
  const facts = { chainStatus, chainUntil, chainAgentId, openedRoots, fundedRoots, refundable };
  return { ...facts, status, selectedAgentId, statusDueAt };
}

/** Parties by the chain. The hirer of root nodes is left out: that is the buyer, who is a party since the draft. */
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
