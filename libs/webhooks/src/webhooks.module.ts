import { Transactions } from '#libs/database';
import { EventsModule } from '#libs/events';
import { ListsModule } from '#libs/lists';
import { SecretBox } from '#libs/secret-box';
import { Module } from '@nestjs/common';
import { DeliveriesService } from './deliveries.service.js';
import { ReplayStartsService } from './replay-starts.service.js';
import { EventFeedService } from './event-feed.service.js';
import { TrafficService } from './traffic.service.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { WebhookValidator } from './webhook-validator.js';
import { WebhooksService } from './webhooks.service.js';

const SERVICES = [
  WebhooksService,
  WebhookSecretsService,
  DeliveriesService,
  ReplayStartsService,
  EventFeedService,
  TrafficService,
];

@Module({
  imports: [EventsModule, ListsModule],
  providers: [...SERVICES, SecretBox.provider, Transactions.provider(), WebhookValidator],
  exports: [...SERVICES, ListsModule],
})
export class WebhooksModule {}
