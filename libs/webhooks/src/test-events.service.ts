import { Transactions } from '#libs/database';
import type { Delivery } from '#libs/entities';
import { EventsService } from '#libs/events';
import type { EventKind } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { owe } from './ledger/owe.js';
import { describeWebhookActivity } from './webhook-activity.js';
import type { WebhookOwner } from './webhook-owner.js';
import { lockEnabledWebhook } from './webhook.statements.js';

@Injectable()
export class TestEventsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
  ) {}

  /** The sample of the webhook’s kind, to this webhook only, on the way that every delivery takes. */
  send(owner: WebhookOwner, webhookId: string): Promise<Delivery> {
    return this.transactions.run(owner, async (tx, now) => {
      const webhook = await lockEnabledWebhook(tx, owner, webhookId);
      const kind = webhook.event as EventKind;
      const eventId = await this.events.recordSample(tx, owner, kind);
      const delivery = await owe(tx, { webhookId: webhook.id, eventId, kind }, now);
      await this.events.recordActivity(tx, owner, 'webhook_tested', describeWebhookActivity(webhook));
      return delivery;
    });
  }
}
