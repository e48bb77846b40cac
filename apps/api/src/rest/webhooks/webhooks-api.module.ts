import { WebhooksModule as WebhooksLibrary } from '#libs/webhooks';
import { Module } from '@nestjs/common';
import { DeliveriesController } from '../deliveries/deliveries.controller.js';
import { ReplaysController } from '../deliveries/replays.controller.js';
import { EventKindsController } from '../events/event-kinds.controller.js';
import { EventsController } from '../events/events.controller.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookSecretsController } from './webhook-secrets.controller.js';
import { WebhooksController } from './webhooks.controller.js';

/** The REST resources of webhooks, deliveries, replays and events. */
@Module({
  imports: [WebhooksLibrary],
  controllers: [
    WebhooksController,
    WebhookSecretsController,
    WebhookDeliveriesController,
    DeliveriesController,
    ReplaysController,
    EventsController,
    EventKindsController,
  ],
})
export class WebhooksApiModule {}
