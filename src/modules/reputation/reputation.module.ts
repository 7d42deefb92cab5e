import { Module } from '@nestjs/common';
import { ReputationController } from './reputation.controller.js';
import { ReputationListService } from './reputation-list.service.js';
import { ReputationProjection } from './reputation.projection.js';
import { ReputationService } from './reputation.service.js';

@Module({
  controllers: [ReputationController],
  providers: [ReputationService, ReputationListService, ReputationProjection],
})
export class ReputationModule {}
