import { Get, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { sendWebPage } from '../../../platform/pages/page-shell.js';
import { ReceiptDetailsService } from '../../receipts/receipt-details.service.js';
import { ReceiptsService } from '../../receipts/receipts.service.js';
import { AccountFrames } from '../signed-in/account-frames.js';
import { AccountPageController, SESSION_IS_THE_CREDENTIAL } from '../signed-in/account-page-routes.js';
import { receiptPage } from './receipt.page.js';
import { receiptsPage } from './receipts.page.js';
import { type AccountVisit, Visit } from '../signed-in/signed-in.guard.js';

const ROWS = 25;

/** `/account/receipts`: the receipts of settled jobs that the account paid for or worked on. */
@AccountPageController('account/receipts')
export class ReceiptPagesController {
  constructor(
    private readonly frames: AccountFrames,
    private readonly receipts: ReceiptsService,
    private readonly details: ReceiptDetailsService,
  ) {}

  @Get()
  @Public(SESSION_IS_THE_CREDENTIAL)
  async openReceipts(
    @Visit() visit: AccountVisit,
    @Query('cursor') cursor: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const from = typeof cursor === 'string' ? { cursor } : {};
    const page = await this.receipts.list({ accountId: visit.account.id }, { limit: ROWS, ...from });
    sendWebPage(response, 200, receiptsPage(this.frames.frameOf(visit, request), page));
  }

  @Get(':receiptId')
  @Public(SESSION_IS_THE_CREDENTIAL)
  async openReceipt(
    @Visit() visit: AccountVisit,
    @Param('receiptId') receiptId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const receipt = await this.details.find(visit.account.id, receiptId);
    sendWebPage(response, 200, receiptPage(this.frames.frameOf(visit, request), receipt));
  }
}
