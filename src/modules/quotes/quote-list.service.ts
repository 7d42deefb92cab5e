import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import type { Principal } from '../../platform/http/principal.js';
import { Cursors } from '../../platform/pagination/cursor.js';
import { pageOf } from '../../platform/pagination/page.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { Clock } from '../../platform/time/clock.js';
import type { ListQuotesQuery } from './dto/list-quotes.query.js';
import { QuoteDto, type QuoteRow } from './dto/quote.dto.js';
import { AFTER_ALL_QUOTES, quoteListStatement } from './quote-list.sql.js';
import { quoteStatusAt } from './quote/quote.lifecycle.js';

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
  async list(principal: Pick<Principal, 'accountId'>, query: ListQuotesQuery): Promise<Page<QuoteDto>> {
    const { cursor, limit, task_id: taskId } = query;
    const { accountId } = principal;
    const binding = { accountId, operationId: 'listQuotes', filters: { task_id: taskId } };
    const [below] = cursor === undefined ? [AFTER_ALL_QUOTES] : this.cursors.open(binding, cursor);
    const { name, text } = quoteListStatement(limit + 1, taskId !== undefined);
    const values = taskId === undefined ? [accountId, below] : [accountId, below, taskId];
    const rows = await this.reads.query<QuoteRow>(name, text, values);
    const nowSeconds = this.clock.nowSeconds();
    return pageOf(
      rows,
      limit,
      (row) => QuoteDto.from(row, quoteStatusAt(row.status, Date.parse(row.stands_until) / 1000, nowSeconds)),
      (row) => [row.id],
      (position) => this.cursors.seal(binding, position),
    );
  }
}
