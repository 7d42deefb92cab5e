import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import type { Principal } from '../../platform/http/principal.js';
import { Cursors } from '../../platform/pagination/cursor.js';
import { AFTER_ALL } from '../../platform/pagination/parties-page.sql.js';
import { pageOf } from '../../platform/pagination/page.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { DeliveryDto, type DeliveryRow } from './delivery.dto.js';
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
  async list(principal: Pick<Principal, 'accountId'>, query: ListDeliveriesQuery): Promise<Page<DeliveryDto>> {
    const { cursor, limit, task_id: taskId } = query;
    const { accountId } = principal;
    const binding = { accountId, operationId: 'listDeliveries', filters: { task_id: taskId } };
    const position = cursor === undefined ? AFTER_ALL : this.cursors.open(binding, cursor);
    const { name, text } = deliveryListStatement(limit + 1, taskId !== undefined);
    const values = [accountId, ...position, ...(taskId === undefined ? [] : [taskId])];
    const rows = await this.reads.query<DeliveryRow>(name, text, values);
    return pageOf(
      rows,
      limit,
      (row) => DeliveryDto.from(row),
      (row) => [row.created_at, row.id],
      (last) => this.cursors.seal(binding, last),
    );
  }
}
