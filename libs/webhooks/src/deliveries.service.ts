import { type AccountConnection, Transactions } from '#libs/database';
import { type Attempt, Conflict, type Delivery, InvalidField } from '#libs/entities';
import { EventsService } from '#libs/events';
import { type Cursor, MAX_COUNTED_ROWS, type Page, type PageRequest, decodeCursor, encodeCursor } from '#libs/lists';
import type { EventKind } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import {
  type DeliveryQuery,
  type FoundDelivery,
  conditionsOf,
  countDeliveries,
  findDelivery,
  loadDeliveries,
  readAttempts,
  scanDeliveries,
} from './delivery.statements.js';
import { owe, oweAgain } from './ledger/owe.statements.js';
import { type WebhookOwner, describeWebhookActivity } from './webhook-owner.js';
import { lockEnabledWebhook, readWebhook } from './webhook.statements.js';

export interface DeliveryDetails extends FoundDelivery {
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
    const page = await findDeliveriesPage(account, webhook.id, query);
    return { ...page, items: await loadDeliveries(account, page.items) };
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

const SORT = '-id';

/**
 * Each delivery would write an index on states, so a list scans this many. A page may be short; its cursor leads on.
 */
const MAX_SCANNED_DELIVERIES = 10_000;

async function findDeliveriesPage(
  account: AccountConnection,
  webhookId: string,
  query: DeliveryQuery,
): Promise<Page<string>> {
  const { page, perPage } = query;
  const cursor = cursorOf(query);
  const backwards = cursor?.direction === 'before';
  const skipped = cursor ? 0 : (page - 1) * perPage;
  const isFiltered = Boolean(query.states ?? query.standings);
  const reach = isFiltered ? MAX_SCANNED_DELIVERIES : skipped + perPage + 1;
  const scan = await scanDeliveries(account, conditionsOf(webhookId, query), { query, cursor, skipped, reach });
  const more = scan.ids.length > perPage;
  const ids = scan.ids.slice(0, perPage);
  const end = more ? ids.at(-1)! : scan.scanned === reach ? scan.last : null;
  const begin = ids[0] ?? cursor?.keys[0] ?? null;
  const [newer, older] = backwards ? [end, begin] : [begin, end];
  const { total, capped } = await countDeliveries(account, conditionsOf(webhookId, query), query);
  return {
    items: backwards ? ids.toReversed() : ids,
    page,
    perPage,
    total,
    totalPages: Math.ceil(total / perPage),
    capped,
    next: cursorAt('after', older),
    previous: page > 1 ? cursorAt('before', newer) : null,
  };
}

function cursorOf({ page, perPage, cursor }: PageRequest): Cursor | undefined {
  if (cursor !== undefined) return decodeCursor(cursor, SORT, ['uuid']);
  if (page * perPage > MAX_COUNTED_ROWS)
    throw new InvalidField('page', 'page_too_far', `page ${page} is too far; follow next_page to reach it`);
  return undefined;
}

const cursorAt = (direction: Cursor['direction'], id: string | null): string | null =>
  id === null ? null : encodeCursor({ direction, sort: SORT, keys: [id] });
