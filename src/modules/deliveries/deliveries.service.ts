import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import type { Principal } from '../../platform/http/principal.js';
import { Cursors } from '../../platform/pagination/cursor.js';
import type { PageJson } from '../../platform/http/raw-json.js';
import { AFTER_ALL, RECORD_POSITION, type RecordPageRow } from '../../platform/pagination/parties-page.sql.js';
import { pageOfDocuments } from '../../platform/pagination/rendered-page.sql.js';
import type { DeliveryDto } from './delivery.dto.js';
import type { ListDeliveriesQuery } from './dto/list-deliveries.query.js';
import { deliveryListStatement } from './delivery-list.sql.js';

/** Reads deliveries. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly reads: ReadConnections,
    private readonly cursors: Cursors,
  ) {}

  /**
   * One page of the deliveries visible to the caller, newest first.
   * @throws ApiError `invalid_cursor`.
   */
  async list(principal: Pick<Principal, 'accountId'>, query: ListDeliveriesQuery): Promise<PageJson<DeliveryDto>> {
    const { cursor, limit, task_id: taskId } = query;
    const { accountId } = principal;
    const binding = { accountId, operationId: 'listDeliveries', filters: { task_id: taskId } };
    const position = cursor === undefined ? AFTER_ALL : this.cursors.open(binding, cursor);
    const { name, text } = deliveryListStatement(limit, taskId !== undefined);
    const values = [accountId, ...position, ...(taskId === undefined ? [] : [taskId])];
    const [page] = await this.reads.query<RecordPageRow>(name, text, values);
    return pageOfDocuments(page, RECORD_POSITION, (last) => this.cursors.seal(binding, last));
  }
}
