import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { finalSettlements } from '#libs/contracts';
import { DomainEvents } from '../../platform/events/domain-events.js';
import type { TreeChanged } from '../../platform/events/tree.events.js';
import { ReceiptEntity } from './receipt.entity.js';

/** What the nodes of a task ended with, once nothing above them can take it back. */
@Injectable()
export class ReceiptProjection implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.on('tree_changed', (manager, change) => this.apply(manager, change));
  }

  private async apply(manager: EntityManager, change: TreeChanged): Promise<void> {
    const { taskId } = change;
    await manager.delete(ReceiptEntity, { taskId });
    const rows = receiptsOf(change);
    if (rows.length > 0) await manager.insert(ReceiptEntity, rows);
  }
}

function receiptsOf({ taskId, buyerAccountId, projection, nodes }: TreeChanged): ReceiptEntity[] {
  const byNumber = new Map(nodes.map((node) => [node.node.number, node]));
  return finalSettlements(projection).flatMap(({ nodeNumber, kind, workerShare, hirerShare, final }) => {
    const node = byNumber.get(nodeNumber);
    if (!node) return [];
    const row = {
      id: node.id.replace(/^node_/, 'rcpt_'),
      taskId,
      nodeId: node.id,
      outcome: kind,
      amount: kind === 'released' ? workerShare : hirerShare,
      transactionHash: final.transactionHash,
      blockNumber: final.blockNumber,
      payerAccountId: node.hirerAccountId,
      buyerAccountId,
      workerAccountId: node.workerAccountId,
      createdAt: new Date(final.at * 1000),
    };
    return [Object.assign(new ReceiptEntity(), row)];
  });
}
