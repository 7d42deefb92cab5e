import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { finalSettlements, wireOutcome } from '#libs/contracts';
import { DomainEvents } from '../../platform/events/domain-events.js';
import type { TreeChanged } from '../../platform/events/tree.events.js';
import { ReputationService } from './reputation.service.js';
import { SettlementEntity } from './settlement.entity.js';

/** The settlements of a task's nodes, and what they change in the reputation of their workers. */
@Injectable()
export class ReputationProjection implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly reputation: ReputationService,
  ) {}

  onModuleInit(): void {
    this.events.on('tree_changed', (manager, change) => this.apply(manager, change));
  }

  /** An agent that a reorganisation took a settlement away from is concerned as much as one that has a new one. */
  private async apply(manager: EntityManager, change: TreeChanged): Promise<void> {
    const { taskId } = change;
    const before = await manager.find(SettlementEntity, { where: { taskId }, order: { nodeId: 'ASC' } });
    const after = settlementsOf(change);
    await manager.delete(SettlementEntity, { taskId });
    if (after.length > 0) await manager.insert(SettlementEntity, after);
    const agentIds = new Set([...before, ...after].map(({ agentId }) => agentId));
    if (agentIds.size > 0) await this.reputation.recompute(manager, [...agentIds]);
  }
}

/** Final ones, of known agents only: a wallet without an agent has no reputation to show. */
function settlementsOf({ taskId, projection, nodes }: TreeChanged): SettlementEntity[] {
  const byNumber = new Map(nodes.map((node) => [node.node.number, node]));
  return finalSettlements(projection).flatMap(({ nodeNumber, outcome, workerShare, final }) => {
    const node = byNumber.get(nodeNumber);
    if (!node?.isWorkerKnown) return [];
    const row = {
      nodeId: node.id,
      taskId,
      agentId: node.workerAgentId,
      workerAccountId: node.workerAccountId,
      payerAccountId: node.hirerAccountId,
      amount: node.node.amount,
      released: workerShare,
      outcome: wireOutcome(outcome),
      settledAt: new Date(final.at * 1000),
    };
    return [Object.assign(new SettlementEntity(), row)];
  });
}
