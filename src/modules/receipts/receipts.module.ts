import { Module } from '@nestjs/common';
import { ReceiptDetailsService } from './receipt-details.service.js';
import { ReceiptProjection } from './receipt.projection.js';
import { ReceiptsController } from './receipts.controller.js';
import { ReceiptsService } from './receipts.service.js';

@Module({
  controllers: [ReceiptsController],
  providers: [ReceiptsService, ReceiptDetailsService, ReceiptProjection],
  exports: [ReceiptsService, ReceiptDetailsService],
})
export class ReceiptsModule {}
