import { Injectable } from '@nestjs/common';
import type { Hex } from '#libs/kernel';
import { Transactions } from '../../platform/database/transactions.js';
import { Clock } from '../../platform/time/clock.js';
import { DeliveryDto } from './delivery.dto.js';
import { DeliveryEntity } from './delivery.entity.js';
import { deliveryIdOf } from './delivery-id.js';

/** Describes deliveries that are not on the chain yet. */
@Injectable()
export class UpcomingDeliveries {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the record that a delivery of this artifact will have when it is mined as the node's next delivery; only
   * `created_at` will change, to the time of its block. Nothing is stored, so no list shows the delivery before it is
   * mined.
   */
  async next(node: { id: string; taskId: string }, artifactHash: Hex): Promise<DeliveryDto> {
    // The task is named, too, because no index has deliveries by node alone.
    const own = { taskId: node.taskId, nodeId: node.id };
    const delivered = await this.transactions.manager.maximum(DeliveryEntity, 'revision', own);
    const revision = (delivered ?? 0) + 1;
    return {
      id: deliveryIdOf(node.id, revision),
      task_id: node.taskId,
      artifact_hash: artifactHash,
      status: 'submitted',
      created_at: this.clock.now().toISOString(),
      node_id: node.id,
      revision,
    };
  }
}
