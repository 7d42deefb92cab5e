import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListOperation } from '../../platform/operations/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { RequireScope } from '../credentials/scope.js';
import { ReceiptDto } from './dto/receipt.dto.js';
import { ListReceiptsQuery } from './dto/list-receipts.query.js';
import { ReceiptsService } from './receipts.service.js';

@ApiTags('receipts')
@Controller({ path: 'receipts', version: '1' })
export class ReceiptsController {
  constructor(private readonly receipts: ReceiptsService) {}

  @ListOperation({
    item: ReceiptDto,
    query: ListReceiptsQuery,
    summary: 'What ended nodes that the caller pays for, buys or works on paid out, newest first',
    description:
      'One receipt for each node that ended, with the transaction that ended it; `task_id` keeps those of one task.',
  })
  @RequireScope('read')
  listReceipts(@CurrentPrincipal() principal: Principal, @Query() query: ListReceiptsQuery): Promise<Page<ReceiptDto>> {
    return this.receipts.list(principal, query);
  }
}
