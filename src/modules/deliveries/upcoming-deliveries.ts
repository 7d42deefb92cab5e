import { Injectable } from '@nestjs/common';
import type { Hex } from '#libs/kernel';
import { Transactions } from '../../platform/database/transactions.js';
import { Clock } from '../../platform/time/clock.js';
import { DeliveryDto } from './delivery.dto.js';
import { DeliveryEntity } from './delivery.entity.js';
import { deliveryIdOf } from './delivery-id.js';

/** Deliveries that the chain does not have yet. */
@Injectable()
export class UpcomingDeliveries {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * The record that a delivery of this artifact becomes when it is mined as the node's next one; only its `created_at`
   * is then the time of its block. Nothing is stored: until then no list shows it.
   */
  async next(node: { id: string; taskId: string }, artifactHash: Hex): Promise<DeliveryDto> {
    // By the task, too: no index has deliveries by their node alone.
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
