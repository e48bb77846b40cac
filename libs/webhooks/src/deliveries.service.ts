import { Transactions } from '#libs/database';
import { type Attempt, Conflict, type Delivery } from '#libs/entities';
import { EventsService } from '#libs/events';
import { ListsService, type Order, type Page } from '#libs/lists';
import type { EventKind } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import {
  type DeliveryQuery,
  type FoundDelivery,
  conditionsOf,
  findDelivery,
  loadDeliveries,
  readAttempts,
} from './delivery.statements.js';
import { owe, oweAgain } from './ledger/owe.statements.js';
import { type WebhookOwner, describeWebhookActivity } from './webhook-owner.js';
import { lockEnabledWebhook, readWebhook } from './webhook.statements.js';

export interface DeliveryDetails extends FoundDelivery {
  readonly attempts: readonly Attempt[];
}

const NEWEST_FIRST: Order = { name: '-id', descending: true, keys: [{ column: 'd.id', type: 'uuid' }] };

@Injectable()
export class DeliveriesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: ListsService,
  ) {}

  /** Newest first. Round trips: 4, or up to 6 with a filter. */
  async list(owner: WebhookOwner, webhookId: string, query: DeliveryQuery): Promise<Page<Delivery>> {
    const webhook = await readWebhook(this.transactions.account(owner), owner, webhookId);
    const listing = {
      from: 'deliveries d',
      id: 'd.id',
      conditions: conditionsOf(webhook.id, query),
      order: NEWEST_FIRST,
    };
    return this.lists.page(owner, listing, query, loadDeliveries);
  }

  async read(owner: WebhookOwner, id: string): Promise<DeliveryDetails> {
    const account = this.transactions.account(owner);
    const found = await findDelivery(account, owner, id);
    return { ...found, attempts: await readAttempts(account, found.delivery.id) };
  }

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
