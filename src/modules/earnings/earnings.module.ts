import { Module } from '@nestjs/common';
import { EarningsController } from './earnings.controller.js';
import { EarningsService } from './earnings.service.js';
import { HiredNodes } from './hired-nodes.js';
import { WorkedNodes } from './worked-nodes.js';

@Module({
  controllers: [EarningsController],
  providers: [EarningsService, WorkedNodes, HiredNodes],
  exports: [WorkedNodes, HiredNodes],
})
export class EarningsModule {}
