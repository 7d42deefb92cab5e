import { Injectable } from '@nestjs/common';
import { ApiError } from '../../platform/http/api-error.js';
import type { PreparedActionEntity } from '../prepared-actions/action/prepared-action.entity.js';
import { messageOf, readBytes32 } from '../prepared-actions/action/typed-message.js';
import { PreviewsService } from '../previews/previews.service.js';

/** Kinds by which a payer answers a delivery. */
const ANSWERS: ReadonlySet<string> = new Set(['resolve_task', 'reject_task']);

/** The way from the page of an action to the delivery that it accepts or rejects. */
@Injectable()
export class DeliveryLinks {
  constructor(private readonly previews: PreviewsService) {}

  /** True when the action answers a delivery. */
  isFor({ kind, taskId, nodeId }: PreparedActionEntity): boolean {
    return ANSWERS.has(kind) && taskId !== null && nodeId !== null;
  }

  /**
   * A preview of the very bytes that the action is about, made out to its principal: it opens only while they pay for
   * the delivery, and for ten minutes.
   * @throws ApiError `not_found` when the action answers no delivery, or one that is not the node's any more.
   */
  async urlOf(action: PreparedActionEntity): Promise<string> {
    const { accountId, taskId, nodeId, payload } = action;
    if (!this.isFor(action) || taskId === null || nodeId === null) {
      throw new ApiError('not_found', 'This request is not about a delivery.');
    }
    const artifactHash = readBytes32(messageOf(payload), 'artifactHash');
    const { url } = await this.previews.issueDelivery(accountId, { taskId, nodeId, artifactHash });
    return url;
  }
}
