import { Transactions } from '#libs/database';
import { owe, oweAgain } from '#libs/delivery';
import { Conflict, type Delivery, Replay, existing } from '#libs/entities';
import { EventsService } from '#libs/events';
import { ListsService, type Order, type Page, Conditions, type PageRequest } from '#libs/lists';
import type { DeliveryDetails, EventKind, WebhookStatistics } from '#libs/payloads';
import { RECORDS, requireUnchanged } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import {
  type DeliveryQuery,
  type DeliverySearch,
  deliveryListing,
  findDelivery,
  findSearchedWebhooks,
  loadDeliveries,
  readAttempts,
} from './delivery.statements.js';
import {
  type WebhookOwner,
  describeWebhookActivity,
  ownerValues,
  requireReaderOf,
  visibleToOwner,
} from './webhook-owner.js';
import { TrafficService } from './traffic.service.js';
import { lockEnabledWebhook, readWebhook } from './webhook.statements.js';
import { REPLAYS_OF_WEBHOOKS, loadReplays, lockReplay, readReplay } from './replay.statements.js';

const NEWEST_REPLAYS_FIRST: Order = { name: '-id', descending: true, keys: [{ column: 'r.id', type: 'uuid' }] };
const MAX_NEWEST = 20;

/** The worker runs replays from their rows. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: ListsService,
    private readonly traffic: TrafficService,
  ) {}

  /** Newest first. Round trips: 4, or up to 6 with a filter. */
  async list(owner: WebhookOwner, webhookId: string, query: DeliveryQuery): Promise<Page<Delivery>> {
    const webhook = await readWebhook(this.transactions.account(owner), owner, webhookId);
    return this.lists.page(owner, deliveryListing([webhook], query), query, loadDeliveries);
  }

  /** Searches all webhooks that the caller sees. Round trips: those of `list`. */
  async search(owner: WebhookOwner, search: DeliverySearch): Promise<Page<Delivery>> {
    const webhooks = await findSearchedWebhooks(this.transactions.account(owner), owner, search);
    return this.lists.page(owner, deliveryListing(webhooks, search), search, loadDeliveries);
  }

  async statistics(owner: WebhookOwner, webhookId: string, hours: number): Promise<WebhookStatistics> {
    const { accountId, id } = await readWebhook(this.transactions.account(owner), owner, webhookId);
    return existing(await this.traffic.statistics(accountId, id, hours), 'webhook');
  }

  async read(owner: WebhookOwner, id: string): Promise<DeliveryDetails> {
    const account = this.transactions.account(owner);
    const found = await findDelivery(account, owner, id);
    requireReaderOf(owner, found.event ? [found.event.kind] : []);
    return { ...found, attempts: await readAttempts(account, found.delivery.id) };
  }

  sendTest(owner: WebhookOwner, webhookId: string): Promise<Delivery> {
    return this.transactions.run(owner, async (tx, now) => {
      const webhook = await lockEnabledWebhook(tx, owner, webhookId);
      requireUnchanged(owner, () => [{ webhook: RECORDS.Webhook(webhook, this.events.links) }]);
      const kind = webhook.event as EventKind;
      const eventId = await this.events.recordSample(tx, owner, kind);
      const delivery = await owe(tx, { webhookId: webhook.id, eventId, kind }, now);
      await this.events.recordActivity(tx, owner, 'webhook_tested', describeWebhookActivity(webhook));
      return Object.assign(delivery, { webhook });
    });
  }

  redeliver(owner: WebhookOwner, id: string): Promise<Delivery> {
    return this.transactions.run(owner, async (tx, now) => {
      const { delivery, event } = await findDelivery(tx, owner, id);
      if (!delivery.webhook) throw new Conflict('webhook_deleted', 'The webhook of this delivery has been deleted.');
      if (!event)
        throw new Conflict('event_purged', 'The event of this delivery was deleted after its retention period.');
      requireReaderOf(owner, [event.kind]);
      const attempts = owner.ifMatch ? await readAttempts(tx, delivery.id) : [];
      const story = { delivery, event, attempts };
      requireUnchanged(owner, () => [{ delivery: RECORDS.DeliveryStory(story, this.events.links) }]);
      await oweAgain(tx, delivery.id, now);
      const webhook = await lockEnabledWebhook(tx, owner, delivery.webhookId);
      await this.events.recordActivity(tx, owner, 'webhook_redelivered', describeWebhookActivity(webhook));
      return (await findDelivery(tx, owner, id)).delivery;
    });
  }

  /** Newest first. Round trips: 4, or 3 for all webhooks. */
  async listReplays(owner: WebhookOwner, webhookId: string | null, request: PageRequest): Promise<Page<Replay>> {
    const conditions = Conditions.forAccount('r');
    if (webhookId !== null) {
      const webhook = await readWebhook(this.transactions.account(owner), owner, webhookId);
      conditions.add(`r.webhook_id = ${conditions.bind(webhook.id)}`);
    }
    conditions.add(visibleToOwner(ownerValues(owner).map((value) => conditions.bind(value))));
    const listing = { from: REPLAYS_OF_WEBHOOKS, id: 'r.id', conditions, order: NEWEST_REPLAYS_FIRST };
    return this.lists.page(owner, listing, request, loadReplays);
  }

  async newestReplays(owner: WebhookOwner): Promise<readonly Replay[]> {
    return (await this.listReplays(owner, null, { page: 1, perPage: MAX_NEWEST, cursor: undefined, uncounted: true }))
      .items;
  }

  readReplay(owner: WebhookOwner, id: string): Promise<Replay> {
    return readReplay(this.transactions.account(owner), owner, id);
  }

  /** Queued deliveries are still sent. */
  cancelReplay(owner: WebhookOwner, id: string): Promise<Replay> {
    return this.transactions.run(owner, async (tx, now) => {
      const { replay, webhook } = await lockReplay(tx, owner, id);
      requireUnchanged(owner, () => [{ replay: RECORDS.Replay(replay, this.events.links) }]);
      if (!replay.cancel(now)) return replay;
      await tx.repository(Replay).update({ id }, { state: replay.state, finishedAt: now });
      await this.events.recordActivity(tx, owner, 'webhook_replay_cancelled', describeWebhookActivity(webhook));
      return replay;
    });
  }
}
