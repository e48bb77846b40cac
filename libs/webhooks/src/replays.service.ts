import { Transactions } from '#libs/database';
import { Replay } from '#libs/entities';
import { EventsService } from '#libs/events';
import { Conditions, ListsService, type Order, type Page, type PageRequest } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import { REPLAYS_OF_WEBHOOKS, loadReplays, lockReplay, readReplay } from './replay.statements.js';
import { type WebhookOwner, describeWebhookActivity, ownerValues, visibleToOwner } from './webhook-owner.js';
import { readWebhook } from './webhook.statements.js';

const NEWEST_FIRST: Order = { name: '-id', descending: true, keys: [{ column: 'r.id', type: 'uuid' }] };
const MAX_NEWEST = 20;

/** The worker runs replays from their rows. */
@Injectable()
export class ReplaysService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: ListsService,
  ) {}

  /** Newest first. Round trips: 4, or 3 for all webhooks. */
  async list(owner: WebhookOwner, webhookId: string | null, request: PageRequest): Promise<Page<Replay>> {
    const conditions = Conditions.forAccount('r');
    if (webhookId !== null) {
      const webhook = await readWebhook(this.transactions.account(owner), owner, webhookId);
      conditions.add(`r.webhook_id = ${conditions.bind(webhook.id)}`);
    }
    conditions.add(visibleToOwner(ownerValues(owner).map((value) => conditions.bind(value))));
    const listing = { from: REPLAYS_OF_WEBHOOKS, id: 'r.id', conditions, order: NEWEST_FIRST };
    return this.lists.page(owner, listing, request, loadReplays);
  }

  async newest(owner: WebhookOwner): Promise<readonly Replay[]> {
    return (await this.list(owner, null, { page: 1, perPage: MAX_NEWEST, cursor: undefined, uncounted: true })).items;
  }

  read(owner: WebhookOwner, id: string): Promise<Replay> {
    return readReplay(this.transactions.account(owner), owner, id);
  }

  /** Queued deliveries are still sent. */
  cancel(owner: WebhookOwner, id: string): Promise<Replay> {
    return this.transactions.run(owner, async (tx, now) => {
      const { replay, webhook } = await lockReplay(tx, owner, id);
      if (!replay.cancel(now)) return replay;
      await tx.repository(Replay).update({ id }, { state: replay.state, finishedAt: now });
      await this.events.recordActivity(tx, owner, 'webhook_replay_cancelled', describeWebhookActivity(webhook));
      return replay;
    });
  }
}
