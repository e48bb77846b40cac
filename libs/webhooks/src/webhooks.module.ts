import { Transactions } from '#libs/database';
import { Conflict } from '#libs/entities';
import { EventsModule } from '#libs/events';
import { ListsModule } from '#libs/lists';
import { Module } from '@nestjs/common';
import { DeliveriesService } from './deliveries.service.js';
import { EventFeedService } from './event-feed.service.js';
import { ReplaysService } from './replays.service.js';
import { TrafficService } from './counts/traffic.service.js';
import { WebhookKeysService } from './webhook-keys.service.js';
import { WebhookValidator } from './webhook-validator.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { WebhooksService } from './webhooks.service.js';

const SERVICES = [
  WebhooksService,
  WebhookSecretsService,
  WebhookKeysService,
  DeliveriesService,
  ReplaysService,
  EventFeedService,
  TrafficService,
];

@Module({
  imports: [EventsModule, ListsModule],
  providers: [...SERVICES, Transactions.provider(refusalOf), WebhookValidator],
  exports: SERVICES,
})
export class WebhooksModule {}

function refusalOf(error: unknown): unknown {
  if ((error as { constraint?: string }).constraint !== 'replays_one_at_a_time_idx') return error;
  return new Conflict('replay_running', 'A replay of this webhook is running. Wait until it ends, or cancel it.');
}
