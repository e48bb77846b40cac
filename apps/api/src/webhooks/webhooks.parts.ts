import { DeliveriesController, ReplaysController, WebhookDeliveriesController } from './deliveries.controller.js';
import { ReplayPagesController } from './replay-pages.controller.js';
import { DeliveryController, WebhookDetailController } from './webhook-detail.controller.js';
import { WebhookDetailReader } from './webhook-detail.reader.js';
import { WebhookListController } from './webhook-list.controller.js';
import { WebhookKeysController, WebhookSecretsController, WebhooksController } from './webhooks.controller.js';

export const WEBHOOKS = {
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
};
