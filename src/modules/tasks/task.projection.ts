import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { checksumAddress } from '#libs/contracts';
import { pathText } from '#libs/kernel';
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

  private async apply(manager: EntityManager, { trees, tell }: TreesChanged): Promise<void> {
    const taskIds = trees.map(({ taskId }) => taskId);
    const tasks = await this.tasks.loadAll(manager, taskIds);
    const told: { task: TaskEntity; steps: TreeChanged['steps'] }[] = [];
    const changed = trees.flatMap((tree) => {
      const task = tasks.get(tree.taskId);
      if (!task) throw new Error(`Task ${tree.taskId} has facts and no row`);
      const before = derivedOf(task);
      this.tasks.settle(Object.assign(task, chainFactsOf(task, tree)));
      const isChanged = !isDeepStrictEqual(derivedOf(task), before);
      if (isChanged || tree.steps.length > 0) told.push({ task, steps: tree.steps });
      return isChanged ? [task] : [];
    });
    // The tasks come before the parties, whose rows repeat the status; the events come last, because they are for those that
    // see the tasks from now on.
    await this.tasks.saveChainFacts(manager, changed);
    await this.parties.replaceChainRoles(manager, shownTaskIds(trees), trees.flatMap(partiesOf));
    await this.tasks.tellChainFacts(manager, told, tell);
  }
}

/** The columns of a task that come from the chain. */
type ChainFacts = Pick<TaskEntity, 'chainStatus' | 'chainAgentId' | 'fundedRoots' | 'refundable'>;

function chainFactsOf({ buyerWallet }: TaskEntity, tree: TreeChanged): ChainFacts {
  const roots = tree.nodes.filter(({ parentNodeId }) => parentNodeId === null);
  return {
    chainStatus: tree.status,
    chainAgentId: tree.selectedAgentId,
    fundedRoots: roots.map(({ node }) => pathText(node.path)),
    refundable: tree.projection.refundOf.get(checksumAddress(buyerWallet)) ?? 0n,
  };
}

/** The chain facts and the columns computed from them; to see whether the task changed. */
function derivedOf(task: TaskEntity): ChainFacts & Pick<TaskEntity, 'status' | 'selectedAgentId' | 'statusDueAt'> {
  const { chainStatus, chainAgentId, fundedRoots, refundable } = task;
  const { status, selectedAgentId, statusDueAt } = task;
  const facts = { chainStatus, chainAgentId, fundedRoots, refundable };
  return { ...facts, status, selectedAgentId, statusDueAt };
}

/** Parties by the chain. The hirer of root nodes is left out: that is the buyer, who is a party since the draft. */
function partiesOf({ taskId, nodes }: TreeChanged): ChainParty[] {
  const parties: { accountId: string | null; role: ChainParty['role'] }[] = [
    ...nodes.map(({ workerAccountId }) => ({ accountId: workerAccountId, role: 'worker' as const })),
    ...nodes
      .filter(({ parentNodeId }) => parentNodeId !== null)
      .map(({ hirerAccountId }) => ({ accountId: hirerAccountId, role: 'hirer' as const })),
  ];
  const known = parties.flatMap(({ accountId, role }) => (accountId === null ? [] : [{ taskId, accountId, role }]));
  return [...new Map(known.map((party) => [`${party.role} ${party.accountId}`, party])).values()];
}
