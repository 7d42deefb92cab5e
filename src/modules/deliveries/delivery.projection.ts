import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TreeDelivery } from '#libs/contracts';
import { DomainEvents } from '../../platform/events/domain-events.js';
import type { ResolvedNode, TreeChanged } from '../../platform/events/tree.events.js';
import { DeliveryEntity, type DeliveryStatus } from './delivery.entity.js';

/** The deliveries that the chain records. */
@Injectable()
export class DeliveryProjection implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.on('tree_changed', (manager, change) => this.apply(manager, change));
  }

  private async apply(manager: EntityManager, change: TreeChanged): Promise<void> {
    const { taskId } = change;
    await manager.delete(DeliveryEntity, { taskId });
    const rows = deliveriesOf(change);
    if (rows.length > 0) await manager.insert(DeliveryEntity, rows);
  }
}

function deliveriesOf({ taskId, buyerAccountId, projection, nodes }: TreeChanged): DeliveryEntity[] {
  const byNumber = new Map(nodes.map((node) => [node.node.number, node]));
  return projection.deliveries.flatMap((delivery) => {
    const node = byNumber.get(delivery.nodeNumber);
    if (!node) return [];
    const row = {
      id: deliveryIdOf(node.id, delivery.revision),
      taskId,
      nodeId: node.id,
      artifactHash: delivery.artifactHash,
      status: deliveryStatusOf(delivery, node),
      revision: delivery.revision,
      payerAccountId: node.hirerAccountId,
      buyerAccountId,
      workerAccountId: node.workerAccountId,
      createdAt: new Date(delivery.delivered.at * 1000),
    };
    return [Object.assign(new DeliveryEntity(), row)];
  });
}

/** A delivery of a node whose money went back was not taken, be it without a word (a rejection that is final at once). */
function deliveryStatusOf({ status }: TreeDelivery, { state }: ResolvedNode): DeliveryStatus {
  return status === 'submitted' && state === 'refunded' ? 'rejected' : status;
}

/** Follows from the node and the revision, so that a rebuilt index gives every delivery the id it had. */
function deliveryIdOf(nodeId: string, revision: number): string {
  return `${nodeId.replace(/^node_/, 'dlv_')}_${revision}`;
}
