import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import type { Principal } from '../../platform/http/principal.js';
import { Cursors } from '../../platform/pagination/cursor.js';
import { AFTER_ALL } from '../../platform/pagination/parties-page.sql.js';
import { pageOf } from '../../platform/pagination/page.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { ReceiptDto, type ReceiptRow } from './dto/receipt.dto.js';
import type { ListReceiptsQuery } from './dto/list-receipts.query.js';
import { receiptListStatement } from './receipt-list.sql.js';

/** Reads receipts. */
@Injectable()
export class ReceiptsService {
  constructor(
    private readonly reads: ReadConnections,
    private readonly cursors: Cursors,
  ) {}

  /**
   * One page of the receipts visible to the caller, newest first.
   * @throws ApiError `invalid_cursor`.
   */
  async list(principal: Pick<Principal, 'accountId'>, query: ListReceiptsQuery): Promise<Page<ReceiptDto>> {
    const { cursor, limit, task_id: taskId } = query;
    const { accountId } = principal;
    const binding = { accountId, operationId: 'listReceipts', filters: { task_id: taskId } };
    const position = cursor === undefined ? AFTER_ALL : this.cursors.open(binding, cursor);
    const { name, text } = receiptListStatement(limit + 1, taskId !== undefined);
    const values = [accountId, ...position, ...(taskId === undefined ? [] : [taskId])];
    const rows = await this.reads.query<ReceiptRow>(name, text, values);
    return pageOf(
      rows,
      limit,
      (row) => ReceiptDto.from(row),
      (row) => [row.created_at, row.id],
      (last) => this.cursors.seal(binding, last),
    );
  }
}
