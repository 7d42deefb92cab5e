import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { finalSettlements, wireOutcome } from '#libs/contracts';
import { DomainEvents } from '../events/domain-events.js';
import { shownTaskIds, type TreeChanged, type TreesChanged } from '../events/tree.events.js';
import { ReputationService } from './reputation.service.js';
import { SettlementEntity } from './settlements/settlement.entity.js';
import { addSettlements, removeSettlements, settlementsOfTasks } from './settlements/settlement-rows.js';

/** Writes the settlements of a task's nodes and updates the reputation of their workers. */
@Injectable()
export class ReputationProjection implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly reputation: ReputationService,
  ) {}

  onModuleInit(): void {
    this.events.onLast('trees_changed', (manager, change) => this.apply(manager, change));
    this.events.on('trees_caught_up', async (manager, { askAgain }) => {
      if (await this.reputation.refreshDue(manager)) askAgain();
    });
    this.events.on('agent_changed', async (manager, { agentId, hasNewWallet }) => {
      if (hasNewWallet) await this.reputation.noteNewWallet(manager, agentId);
    });
  }

  /** Applies added settlements, and settlements that a reorganisation has removed. */
  private async apply(manager: EntityManager, { trees, tell, isCatchingUp }: TreesChanged): Promise<void> {
    const before = await settlementsOfTasks(manager, shownTaskIds(trees));
    const after = trees.flatMap(settlementsOf);
    const gone = without(before, after);
    const added = without(after, before);
    // Most changes of a tree settle nothing, and then all these lists are empty.
    await removeSettlements(manager, gone);
    await addSettlements(manager, added);
    for (const event of await this.reputation.settle(manager, added, gone, isCatchingUp)) tell(event, null);
  }
}

/** The settlements of `some` that are not equally in `others`. */
function without(some: readonly SettlementEntity[], others: readonly SettlementEntity[]): SettlementEntity[] {
  const byNode = new Map(others.map((other) => [other.nodeId, other]));
  return some.filter((one) => {
    const other = byNode.get(one.nodeId);
    return other === undefined || !isSame(one, other);
  });
}

/** The final settlements of known agents; a wallet without an agent has no reputation. */
function settlementsOf({ taskId, projection, nodes }: TreeChanged): SettlementEntity[] {
  const byPath = new Map(nodes.map((node) => [node.node.path, node]));
  return finalSettlements(projection).flatMap(({ nodePath, outcome, workerShare, final }) => {
    const node = byPath.get(nodePath);
    if (!node?.isWorkerKnown) return [];
    const row = {
      nodeId: node.id,
      taskId,
      agentId: node.workerAgentId,
      workerAccountId: node.workerAccountId,
      payerAccountId: node.hirerAccountId,
      payerWallet: node.node.hirer,
      workerWallet: node.node.worker,
      amount: node.node.amount,
      released: workerShare,
      outcome: wireOutcome(outcome),
      settledAt: new Date(final.at * 1000),
    };
    return [Object.assign(new SettlementEntity(), row)];
  });
}

function isSame(one: SettlementEntity, other: SettlementEntity): boolean {
  return (
    one.nodeId === other.nodeId &&
    one.agentId === other.agentId &&
    one.workerAccountId === other.workerAccountId &&
    one.payerAccountId === other.payerAccountId &&
    one.payerWallet === other.payerWallet &&
    one.workerWallet === other.workerWallet &&
    one.amount === other.amount &&
    one.released === other.released &&
    one.outcome === other.outcome &&
    one.settledAt.getTime() === other.settledAt.getTime()
  );
}
