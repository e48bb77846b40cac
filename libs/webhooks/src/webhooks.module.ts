import { Transactions } from '#libs/database';
import { EventsModule } from '#libs/events';
import { ListsModule } from '#libs/lists';
import { Module } from '@nestjs/common';
import { DeliveriesService } from './deliveries.service.js';
import { EventFeedService } from './event-feed.service.js';
import { refusalOf } from './refusals.js';
import { ReplaysService } from './replays.service.js';
import { TestEventsService } from './test-events.service.js';
import { WebhookValidator } from './webhook-validator.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { WebhooksService } from './webhooks.service.js';

const SERVICES = [
  WebhooksService,
  WebhookSecretsService,
  TestEventsService,
  DeliveriesService,
  ReplaysService,
  EventFeedService,
];

@Module({
  imports: [EventsModule, ListsModule],
  providers: [...SERVICES, Transactions.provider(refusalOf), WebhookValidator],
  exports: SERVICES,
})
export class WebhooksModule {}
