import { Transactions } from '#libs/database';
import { type Attempt, Conflict, type Delivery } from '#libs/entities';
import { EventsService } from '#libs/events';
import type { Page } from '#libs/lists';
import type { EventKind } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { owe, oweAgain } from './ledger/owe.js';
import { describeWebhookActivity } from './webhook-activity.js';
import { type DeliveryQuery, findDeliveriesPage } from './delivery-list.js';
import { type FoundDelivery, findDelivery, loadDeliveries, readAttempts } from './delivery.statements.js';
import type { WebhookOwner } from './webhook-owner.js';
import { lockEnabledWebhook, readWebhook } from './webhook.statements.js';

/** What became of one event for one webhook, from the beginning. */
export interface DeliveryDetails extends FoundDelivery {
  /** In their order. */
  readonly attempts: readonly Attempt[];
}

@Injectable()
export class DeliveriesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
  ) {}

  /** Newest first. Round trips: 4. */
  async list(owner: WebhookOwner, webhookId: string, query: DeliveryQuery): Promise<Page<Delivery>> {
    const account = this.transactions.account(owner);
    const webhook = await readWebhook(account, owner, webhookId);
    const reader = this.transactions.account(owner);
    const page = await findDeliveriesPage(reader, webhook.id, query);
    return { ...page, items: await loadDeliveries(reader, page.items) };
  }

  /** Round trips: 2. */
  async read(owner: WebhookOwner, id: string): Promise<DeliveryDetails> {
    const account = this.transactions.account(owner);
    const found = await findDelivery(account, owner, id);
    return { ...found, attempts: await readAttempts(account, found.delivery.id) };
  }

  /** The sample of the webhook’s kind, to this webhook only, on the way that every delivery takes. */
  sendTest(owner: WebhookOwner, webhookId: string): Promise<Delivery> {
    return this.transactions.run(owner, async (tx, now) => {
      const webhook = await lockEnabledWebhook(tx, owner, webhookId);
      const kind = webhook.event as EventKind;
      const eventId = await this.events.recordSample(tx, owner, kind);
      const delivery = await owe(tx, { webhookId: webhook.id, eventId, kind }, now);
      await this.events.recordActivity(tx, owner, 'webhook_tested', describeWebhookActivity(webhook));
      return delivery;
    });
  }

  /** Whatever became of it before, it goes out again now, as the same event; its attempts are counted on. */
  redeliver(owner: WebhookOwner, id: string): Promise<Delivery> {
    return this.transactions.run(owner, async (tx, now) => {
      const { delivery, event, hasWebhook } = await findDelivery(tx, owner, id);
      if (!hasWebhook) throw new Conflict('webhook_deleted', 'The webhook of this delivery has been deleted.');
      if (!event) throw new Conflict('event_purged', 'The event of this delivery is no longer kept.');
      const webhook = await lockEnabledWebhook(tx, owner, delivery.webhookId);
      await oweAgain(tx, delivery.id, now);
      await this.events.recordActivity(tx, owner, 'webhook_redelivered', describeWebhookActivity(webhook));
      return (await findDelivery(tx, owner, id)).delivery;
    });
  }
}
