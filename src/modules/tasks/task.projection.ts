import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEvents } from '../../platform/events/domain-events.js';
import type { TreeChanged } from '../../platform/events/tree.events.js';
import { TaskParties } from './task-parties.js';
import { TaskStore } from './task-store.js';

type ChainParty = Parameters<TaskParties['replaceChainRoles']>[2][number];

/** What the chain says of a task: its status, its agent, and who is a party through the tree. */
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
    const { taskId, status, selectedAgentId } = change;
    const task = await this.tasks.load(manager, taskId, { lock: true });
    if (!task) throw new Error(`Task ${taskId} has facts and no row`);
    if (task.status !== status || task.selectedAgentId !== selectedAgentId) {
      Object.assign(task, { status, selectedAgentId });
      await this.tasks.save(manager, task);
    }
    await this.parties.replaceChainRoles(manager, taskId, partiesOf(change));
  }
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
