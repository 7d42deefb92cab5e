import { Module } from '@nestjs/common';
import { DeliveryProjection } from './delivery.projection.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';

@Module({
  controllers: [DeliveriesController],
  providers: [DeliveriesService, DeliveryProjection],
})
export class DeliveriesModule {}
