import { Transactions } from '#libs/database';
import { EventsModule } from '#libs/events';
import { ListsModule } from '#libs/lists';
import { Module } from '@nestjs/common';
import { DeliveriesService } from './deliveries.service.js';
import { EventFeedService } from './event-feed.service.js';
import { ReplayStartsService, ReplaysService } from './replays.service.js';
import { TrafficService } from './counts/traffic.service.js';
import { WebhookKeysService, WebhookSecretsService } from './webhook-secrets.service.js';
import { WebhookValidator } from './webhook-validator.js';
import { WebhooksService } from './webhooks.service.js';

const SERVICES = [
  WebhooksService,
  WebhookSecretsService,
  WebhookKeysService,
  DeliveriesService,
  ReplaysService,
  ReplayStartsService,
  EventFeedService,
  TrafficService,
];

@Module({
  imports: [EventsModule, ListsModule],
  providers: [...SERVICES, Transactions.provider(), WebhookValidator],
  exports: [...SERVICES, ListsModule],
})
export class WebhooksModule {}
