import { ListsModule } from '#libs/lists';
import { Module } from '@nestjs/common';
import { Deeds } from './deeds.js';
import { DeliveriesService } from './deliveries.service.js';
import { EventFeed } from './event-feed.js';
import { ReplaysService } from './replays.service.js';
import { TestEvents } from './test-events.js';
import { WebhookRules } from './webhook-rules.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhooksService } from './webhooks.service.js';

const SERVICES = [WebhooksService, WebhookSecrets, TestEvents, DeliveriesService, ReplaysService, EventFeed];

@Module({ imports: [ListsModule], providers: [...SERVICES, Deeds, WebhookRules], exports: SERVICES })
export class WebhooksModule {}
