import { Injectable } from '@nestjs/common';
import { UpcomingDeliveries } from '../../deliveries/upcoming-deliveries.js';
import type { SubmittedDeliveryDto } from '../dto/submitted-delivery.dto.js';
import type { DeliveryInput } from '../kinds/deliver.js';
import { PreparedActionsService } from '../prepared-actions.service.js';
import type { ActionIntent } from '../action/prepared-kind.js';

/** Deliveries that workers prepare. */
@Injectable()
export class DeliverySubmissions {
  constructor(
    private readonly actions: PreparedActionsService,
    private readonly deliveries: UpcomingDeliveries,
  ) {}

  /**
   * Prepares the delivery and returns the record that it becomes once it is executed.
   * @throws ApiError `invalid_body` for a receipt that proves nothing or a node that must be named, `not_found`,
   * `not_node_worker`, a 409 code; 503 when the chain or the store is away.
   */
  async submit(intent: ActionIntent, input: DeliveryInput): Promise<SubmittedDeliveryDto> {
    const action = await this.actions.prepare('deliver', intent, input);
    const { node_id: nodeId } = action;
    if (nodeId === undefined) throw new TypeError('A delivery was prepared for no node');
    const delivery = await this.deliveries.next({ id: nodeId, taskId: input.taskId }, input.artifactHash);
    return Object.assign(delivery, { prepared_action: action });
  }
}
