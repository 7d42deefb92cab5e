import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEvents } from '../../platform/events/domain-events.js';
import type { TreeChanged } from '../../platform/events/tree.events.js';
import { DeliveryEntity } from './delivery.entity.js';
import { deliveryIdOf } from './delivery-id.js';
import { deliveryStatusOf } from './delivery.lifecycle.js';
import { NO_REASON } from './rejection-reasons.js';

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
      status: deliveryStatusOf(delivery, node.state),
      revision: delivery.revision,
      reasonHash: delivery.reasonHash === NO_REASON ? null : delivery.reasonHash,
      payerAccountId: node.hirerAccountId,
      buyerAccountId,
      workerAccountId: node.workerAccountId,
      createdAt: new Date(delivery.delivered.at * 1000),
    };
    return [Object.assign(new DeliveryEntity(), row)];
  });
}
