import type { ModuleMetadata } from '@nestjs/common';
import { DeliveriesController, ReplaysController, WebhookDeliveriesController } from './deliveries.controller.js';
import { ReplayPagesController } from './replay-pages.controller.js';
import { DeliveryController, WebhookDetailController } from './webhook-detail.controller.js';
import { WebhookDetailReader } from './webhook-detail.reader.js';
import { WebhookListController } from './webhook-list.controller.js';
import { WebhookKeysController, WebhookSecretsController, WebhooksController } from './webhooks.controller.js';

export const WEBHOOKS_PARTS = {
  controllers: [
    DeliveriesController,
    ReplaysController,
    WebhookDeliveriesController,
    ReplayPagesController,
    DeliveryController,
    WebhookDetailController,
    WebhookListController,
    WebhookKeysController,
    WebhookSecretsController,
    WebhooksController,
  ],
  providers: [WebhookDetailReader],
} satisfies ModuleMetadata;
