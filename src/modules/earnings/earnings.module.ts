import { Module } from '@nestjs/common';
import { EarningsProjection } from './earnings.projection.js';
import { EarningsController } from './earnings.controller.js';
import { EarningsService } from './earnings.service.js';
import { HiredNodes } from './hired-nodes.js';
import { EarningsSweeper } from './sums/earnings.sweeper.js';
import { WorkedNodes } from './worked-nodes/worked-nodes.js';

@Module({
  controllers: [EarningsController],
  providers: [EarningsService, WorkedNodes, HiredNodes, EarningsSweeper, EarningsProjection],
  exports: [WorkedNodes, HiredNodes],
})
export class EarningsModule {}
