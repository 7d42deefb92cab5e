import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListOperation } from '../../platform/operations/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { RequireScope } from '../credentials/scope.js';
import { ListQuotesQuery } from './dto/list-quotes.query.js';
import { QuoteDto } from './dto/quote.dto.js';
import { QuoteListService } from './quote-list.service.js';

@ApiTags('quotes')
@Controller({ path: 'quotes', version: '1' })
export class QuotesController {
  constructor(private readonly quotes: QuoteListService) {}

  @ListOperation({
    item: QuoteDto,
    query: ListQuotesQuery,
    summary: "The caller's quotes and those offered to the caller, newest first",
    description:
      'The owner of the quoting agent sees a quote from its draft on, the one who would pay once it is `submitted`, and nobody else ever does. `task_id` keeps those for one task.',
  })
  @RequireScope('read')
  listQuotes(@CurrentPrincipal() principal: Principal, @Query() query: ListQuotesQuery): Promise<Page<QuoteDto>> {
    return this.quotes.list(principal, query);
  }
}
