import { WebhooksModule } from '#libs/webhooks';
import { Module } from '@nestjs/common';
import { ShellModule } from '../shell/shell.module.js';
import { DeliverySubjectsReader } from './delivery-subjects.reader.js';
import { ConsoleDeliveryController } from './delivery.controller.js';
import { ConsoleReplaysController } from './replays.controller.js';
import { ConsoleWebhookDetailController } from './webhook-detail.controller.js';
import { WebhookActivityReader } from './webhook-activity.reader.js';
import { WebhookDetailReader } from './webhook-detail.reader.js';
import { ConsoleWebhookListController } from './webhook-list.controller.js';
import { WebhookListReader } from './webhook-list.reader.js';

/** Webhooks, their secrets and their deliveries. */
@Module({
  imports: [WebhooksModule, ShellModule],
  controllers: [
    ConsoleWebhookListController,
    ConsoleWebhookDetailController,
    ConsoleReplaysController,
    ConsoleDeliveryController,
  ],
  providers: [DeliverySubjectsReader, WebhookActivityReader, WebhookDetailReader, WebhookListReader],
})
export class ConsoleWebhooksModule {}
