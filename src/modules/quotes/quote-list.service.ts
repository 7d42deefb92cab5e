import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import type { Principal } from '../../platform/http/principal.js';
import type { PageJson } from '../../platform/http/raw-json.js';
import { Cursors } from '../../platform/pagination/cursor.js';
import { pageOfDocuments } from '../../platform/pagination/rendered-page.sql.js';
import { Clock } from '../../platform/time/clock.js';
import type { ListQuotesQuery } from './dto/list-quotes.query.js';
import type { QuoteDto } from './dto/quote.dto.js';
import { AFTER_ALL_QUOTES, QUOTE_POSITION, quoteListStatement, type QuotePageRow } from './quote-list.sql.js';

/** Lists quotes. */
@Injectable()
export class QuoteListService {
  constructor(
    private readonly reads: ReadConnections,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  /**
   * One page of the quotes visible to the caller, newest first.
   * @throws ApiError `invalid_cursor`.
   */
  async list(principal: Pick<Principal, 'accountId'>, query: ListQuotesQuery): Promise<PageJson<QuoteDto>> {
    const { cursor, limit, task_id: taskId } = query;
    const { accountId } = principal;
    const binding = { accountId, operationId: 'listQuotes', filters: { task_id: taskId } };
    const [below] = cursor === undefined ? [AFTER_ALL_QUOTES] : this.cursors.open(binding, cursor);
    const { name, text } = quoteListStatement(limit, taskId !== undefined);
    const now = this.clock.thisSecond().toISOString();
    const values = [accountId, below, now, ...(taskId === undefined ? [] : [taskId])];
    const [page] = await this.reads.query<QuotePageRow>(name, text, values);
    return pageOfDocuments(page, QUOTE_POSITION, (position) => this.cursors.seal(binding, position));
  }
}
