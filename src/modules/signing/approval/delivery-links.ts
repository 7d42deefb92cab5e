import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../platform/http/api-error.js';
import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';
import { messageOf, readBytes32 } from '../../prepared-actions/payload/typed-message.js';
import { PreviewsService } from '../../previews/previews.service.js';

/** Kinds of action that accept or reject a delivery. */
const ANSWERS: ReadonlySet<string> = new Set(['resolve_task', 'reject_task']);

/** Links from the page of an action to the delivery that it accepts or rejects. */
@Injectable()
export class DeliveryLinks {
  constructor(private readonly previews: PreviewsService) {}

  /** True when the action accepts or rejects a delivery. */
  isFor({ kind, taskId, nodeId }: PreparedActionEntity): boolean {
    return ANSWERS.has(kind) && taskId !== null && nodeId !== null;
  }

  /**
   * Issues a preview link, for the action's principal, to exactly the delivery whose artifact the action names. The
   * link works for ten minutes, and only while the principal pays for the delivery.
   * @throws ApiError `not_found` when the action is about no delivery, or about one that was replaced.
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
