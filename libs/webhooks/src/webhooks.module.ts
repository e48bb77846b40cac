import { ListsModule } from '#libs/lists';
import { Module } from '@nestjs/common';
import { WebhookActions } from './webhook-actions.js';
import { DeliveriesService } from './deliveries.service.js';
import { EventFeedService } from './event-feed.service.js';
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

@Module({ imports: [ListsModule], providers: [...SERVICES, WebhookActions, WebhookValidator], exports: SERVICES })
export class WebhooksModule {}
