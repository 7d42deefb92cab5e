import { Module } from '@nestjs/common';
import { ReceiptProjection } from './receipt.projection.js';
import { ReceiptsController } from './receipts.controller.js';
import { ReceiptsService } from './receipts.service.js';

@Module({
  controllers: [ReceiptsController],
  providers: [ReceiptsService, ReceiptProjection],
})
export class ReceiptsModule {}
