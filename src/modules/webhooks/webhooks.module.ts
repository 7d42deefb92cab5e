import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { WebhookAttemptsService } from './attempts/webhook-attempts.service.js';
import { EndpointDelivery } from './delivery/endpoint-delivery.js';
import { SignedSender } from './delivery/signed-sender.js';
import { WebhookDeliveryRunner } from './delivery/webhook-delivery.runner.js';
import { WebhookSender } from './delivery/webhook-sender.js';
import { WebhooksSweeper } from './delivery/webhooks.sweeper.js';
import { EndpointSecrets } from './endpoints/endpoint-secrets.js';
import { WebhookEndpointsService } from './endpoints/webhook-endpoints.service.js';
import { WebhookReplaysService } from './replay/webhook-replays.service.js';
import { WebhookSigningKeys } from './signing/webhook-signing-keys.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WebhookKeysController } from './webhook-keys.controller.js';

/** Sends events to addresses that callers have named. */
@Module({
  imports: [AccountsModule],
  controllers: [WebhookEndpointsController, WebhookDeliveriesController, WebhookKeysController],
  providers: [
    EndpointDelivery,
    EndpointSecrets,
    SignedSender,
    WebhookAttemptsService,
    WebhookDeliveryRunner,
    WebhookEndpointsService,
    WebhookReplaysService,
    WebhookSender,
    WebhookSigningKeys,
    WebhooksSweeper,
  ],
  exports: [WebhookAttemptsService, WebhookEndpointsService, WebhookReplaysService],
})
export class WebhooksModule {}
