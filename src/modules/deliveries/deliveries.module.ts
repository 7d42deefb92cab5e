import { Module } from '@nestjs/common';
import { DeliveryProjection } from './projection/delivery.projection.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { RejectionReasons } from './rejection-reason-store.js';
import { UpcomingDeliveries } from './upcoming-deliveries.js';

@Module({
  controllers: [DeliveriesController],
  providers: [DeliveriesService, DeliveryProjection, RejectionReasons, UpcomingDeliveries],
  exports: [RejectionReasons, UpcomingDeliveries],
})
export class DeliveriesModule {}
