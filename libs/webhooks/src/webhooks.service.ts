import { Transactions, uuidAt } from '#libs/database';
import { cancelOwed, newWebhookSecret } from '#libs/delivery';
import { type SignatureVersion, Webhook, type WebhookState } from '#libs/entities';
import { EventsService } from '#libs/events';
import { Conditions, ListsService, type Order, type Page, type PageRequest } from '#libs/lists';
import type { EventKind } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { type FilterPreview, type Filtering, compileWebhookFilter, previewFilter } from './webhook-filter.js';
import { cancelReplays } from './replay.statements.js';
import {
  type WebhookOwner,
  describeWebhookActivity,
  ownerValues,
  requireReaderOf,
  visibleToOwner,
} from './webhook-owner.js';
import {
  WebhookValidator,
  duplicateRefusal,
  registrationKey,
  requireMakerOfWebhooks,
  restoreWebhookAccess,
} from './webhook-validator.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { loadWebhooks, lockWebhook, readWebhook } from './webhook.statements.js';

interface WebhookQuery extends PageRequest {
  readonly event?: EventKind | undefined;
  readonly state?: WebhookState | undefined;
}

interface WebhookOptions extends Pick<Filtering, 'filter'> {
  readonly name?: string | null | undefined;
  readonly state?: 'active' | 'paused' | undefined;
  readonly signatures?: readonly SignatureVersion[] | undefined;
}

interface WantedWebhooks extends WebhookOptions {
  readonly events: readonly EventKind[];
  readonly url: string;
  readonly secret?: string | undefined;
}

interface WebhookChanges extends WebhookOptions {
  readonly url?: string | undefined;
}

const NEWEST_FIRST: Order = { name: '-id', descending: true, keys: [{ column: 'w.id', type: 'uuid' }] };

/** Bounds the statement. The worker cancels the rest. */
const MAX_CANCELLED_AT_ONCE = 1_000;

@Injectable()
export class WebhooksService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly secrets: WebhookSecretsService,
    private readonly lists: ListsService,
    private readonly validator: WebhookValidator,
  ) {}

  /** Newest first. Round trips: 3. */
  list(owner: WebhookOwner, query: WebhookQuery): Promise<Page<Webhook>> {
    const conditions = Conditions.forAccount('w');
    conditions.add(visibleToOwner(ownerValues(owner).map((value) => conditions.bind(value))));
    if (query.event !== undefined) conditions.add(`w.event = ${conditions.bind(query.event)}`);
    if (query.state !== undefined) conditions.add(`w.state = ${conditions.bind(query.state)}`);
    const listing = { from: 'webhooks w', id: 'w.id', conditions, order: NEWEST_FIRST };
    return this.lists.page(owner, listing, query, loadWebhooks);
  }

  read(owner: WebhookOwner, id: string): Promise<Webhook> {
    return readWebhook(this.transactions.account(owner), owner, id);
  }

  /** All or none, under one secret. */
  createEach(owner: WebhookOwner, wanted: WantedWebhooks): Promise<NewWebhook[]> {
    const { events, url, secret = newWebhookSecret() } = wanted;
    requireReaderOf(owner, events);
    return this.transactions.run(owner, async (tx, now) => {
      await requireMakerOfWebhooks(tx, owner, now);
      this.validator.refuseUrl(url);
      const filter = await compileWebhookFilter(tx, wanted);
      const created: NewWebhook[] = [];
      for (const event of events) {
        const made = Object.assign(newWebhook(owner, { ...wanted, event }, now), filter);
        await tx.repository(Webhook).insert(made).catch(duplicateRefusal(made));
        await this.secrets.issue(tx, made, { secret, now });
        await this.events.recordActivity(tx, owner, 'webhook_created', describeWebhookActivity(made));
        created.push({ webhook: await readWebhook(tx, owner, made.id), secret });
      }
      await this.validator.refuseTooMany(tx);
      return created;
    });
  }

  /** Every owner may pause. Sending more, or elsewhere, needs the right to make webhooks. */
  change(owner: WebhookOwner, id: string, { url, name, filter, state, signatures }: WebhookChanges): Promise<Webhook> {
    return this.transactions.run(owner, async (tx, now) => {
      const webhook = await lockWebhook(tx, owner, id);
      requireReaderOf(owner, [webhook.event]);
      if (url !== undefined || filter !== undefined || signatures !== undefined || state === 'active')
        await requireMakerOfWebhooks(tx, owner, now);
      if (url !== undefined) this.validator.refuseUrl(url);
      this.validator.requireUnchanged(owner, webhook);
      if (state !== undefined && webhook.state === 'disabled') await restoreWebhookAccess(tx, owner, webhook, now);
      const moved = state !== undefined && webhook.setState(state, now);
      const pointed = url !== undefined && webhook.changeUrl(url, now);
      if (pointed) webhook.registrationKey = registrationKey(webhook);
      const filtered = filter !== undefined && filter !== webhook.filter;
      const events = [webhook.event];
      if (filtered) Object.assign(webhook, await compileWebhookFilter(tx, { events, filter }), { updatedAt: now });
      const signed = signatures !== undefined && webhook.setSignatures(signatures, now);
      const renamed = name !== undefined && webhook.rename(name, now);
      if (!moved && !pointed && !filtered && !signed && !renamed) return webhook;
      const { id: _, accountId: __, application: ___, ...columns } = webhook;
      await tx.repository(Webhook).update({ id }, columns).catch(duplicateRefusal(webhook));
      await this.events.recordActivity(tx, owner, 'webhook_changed', describeWebhookActivity(webhook));
      return webhook;
    });
  }

  /** How many of the last events a webhook with this filter would have received. Round trips: 1, and 1 for each kind. */
  previewFilter(owner: WebhookOwner, wanted: Filtering): Promise<FilterPreview> {
    requireReaderOf(owner, wanted.events);
    return previewFilter(this.transactions.account(owner), wanted);
  }

  async remove(owner: WebhookOwner, id: string): Promise<void> {
    await this.transactions.run(owner, async (tx, now) => {
      const webhook = await lockWebhook(tx, owner, id);
      this.validator.requireUnchanged(owner, webhook);
      await tx.repository(Webhook).delete({ id });
      await cancelReplays(tx, id, now);
      await this.events.recordActivity(tx, owner, 'webhook_deleted', describeWebhookActivity(webhook));
    });
    // After the commit: workers lock owed rows before the webhook, so one transaction with both would deadlock.
    await cancelOwed(this.transactions.account(owner), id, {
      now: this.transactions.now(),
      limit: MAX_CANCELLED_AT_ONCE,
    });
  }
}

export interface NewWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

function newWebhook(
  { applicationId, agentId, grantId }: WebhookOwner,
  { event, url, name = null, state = 'active', signatures = [] }: WebhookOptions & Pick<Webhook, 'event' | 'url'>,
  now: Date,
): Webhook {
  return Object.assign(new Webhook(), {
    id: uuidAt(now),
    event,
    url,
    name,
    applicationId,
    agentId,
    grantId,
    registrationKey: registrationKey({ applicationId, agentId, event, url }),
    publiclySigned: signatures.includes('v1a'),
    state,
    disabledReason: null,
    createdAt: now,
    updatedAt: now,
  });
}
