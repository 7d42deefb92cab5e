import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import type { Principal } from '../../platform/http/principal.js';
import { Cursors } from '../../platform/pagination/cursor.js';
import type { PageJson } from '../../platform/http/raw-json.js';
import { AFTER_ALL, RECORD_POSITION, type RecordPageRow } from '../../platform/pagination/parties-page.sql.js';
import { pageOfDocuments } from '../../platform/pagination/rendered-page.sql.js';
import type { ReceiptDto } from './dto/receipt.dto.js';
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
  async list(principal: Pick<Principal, 'accountId'>, query: ListReceiptsQuery): Promise<PageJson<ReceiptDto>> {
    const { cursor, limit, task_id: taskId } = query;
    const { accountId } = principal;
    const binding = { accountId, operationId: 'listReceipts', filters: { task_id: taskId } };
    const position = cursor === undefined ? AFTER_ALL : this.cursors.open(binding, cursor);
    const { name, text } = receiptListStatement(limit, taskId !== undefined);
    const values = [accountId, ...position, ...(taskId === undefined ? [] : [taskId])];
    const [page] = await this.reads.query<RecordPageRow>(name, text, values);
    return pageOfDocuments(page, RECORD_POSITION, (last) => this.cursors.seal(binding, last));
  }
}
