import { type AccountTx, Transactions, uuidAt } from '#libs/database';
import { cancelOwed, newWebhookSecret } from '#libs/delivery';
import { InvalidField, Webhook, type WebhookState } from '#libs/entities';
import { EventsService } from '#libs/events';
import { Conditions, ListsService, type Order, type Page, type PageRequest } from '#libs/lists';
import { EVENT_KINDS, type EnsuredWebhook, type EventKind } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { type WebhookOptions, newWebhook } from './new-webhook.js';
import { cancelReplays } from './replay.statements.js';
import {
  type WebhookOwner,
  describeWebhookActivity,
  ownerValues,
  requireReaderOf,
  visibleToOwner,
} from './webhook-owner.js';
import { type Filtering, compileWebhookFilter, previewFilter } from './webhook-filter.js';
import { type WantedHeaders, requireHeadersAgain } from './webhook-headers.js';
import {
  WebhookValidator,
  clashOf,
  registrationKey,
  requireMakerOfWebhooks,
  restoreWebhookAccess,
} from './webhook-validator.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { loadWebhooks, lockOfKey, lockWebhook, readWebhook } from './webhook.statements.js';

interface WebhookQuery extends PageRequest {
  readonly event?: EventKind | undefined;
  readonly state?: WebhookState | undefined;
  readonly url?: string | undefined;
}

interface WantedWebhooks extends WebhookOptions {
  readonly events: readonly EventKind[];
  readonly url: string;
  readonly secret?: string | undefined;
}

type NewWebhookSecrets = WantedHeaders & { readonly secret: string };

type WantedWebhook = WantedWebhooks & { readonly events: readonly [EventKind] };

interface WebhookChanges extends WebhookOptions {
  readonly url?: string | undefined;
  readonly key?: string;
}

const KEY = /^[A-Za-z0-9._:-]{1,100}$/;

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
    if (query.url !== undefined) conditions.add(isRegisteredAt(query.url, owner, conditions));
    const listing = { from: 'webhooks w', id: 'w.id', conditions, order: NEWEST_FIRST };
    return this.lists.page(owner, listing, query, loadWebhooks);
  }

  read(owner: WebhookOwner, id: string): Promise<Webhook> {
    return readWebhook(this.transactions.account(owner), owner, id);
  }

  /** All or none, under one secret. */
  createEach(owner: WebhookOwner, wanted: WantedWebhooks) {
    const { events, url, secret = newWebhookSecret() } = wanted;
    requireReaderOf(owner, events);
    return this.write(owner, async (tx, now) => {
      await requireMakerOfWebhooks(tx, owner, now);
      this.validator.refuseUrl(url);
      const requestId = uuidAt(now);
      const filter = await compileWebhookFilter(tx, wanted);
      const drafts = events.map((event) =>
        Object.assign(newWebhook(owner, { ...wanted, event, requestId }, now), filter),
      );
      return this.insert(tx, owner, drafts, { ...wanted, secret });
    });
  }

  /** Registers it under the key, or changes what is given and different. */
  ensure(
    owner: WebhookOwner,
    key: string,
    { events: [event], secret, ...wanted }: WantedWebhook,
  ): Promise<EnsuredWebhook> {
    if (!KEY.test(key))
      throw new InvalidField('key', 'malformed', 'key must be 1 to 100 letters, digits or any of . _ : -');
    requireReaderOf(owner, [event]);
    return this.write(owner, async (tx, now) => {
      await requireMakerOfWebhooks(tx, owner, now);
      this.validator.refuseUrl(wanted.url);
      const draft = newWebhook(owner, { ...wanted, event, key, requestId: uuidAt(now) }, now);
      // Other processes that register wait here, and then find the webhook.
      await tx.repository(Webhook).countInTurn();
      const webhook = await lockOfKey(tx, draft);
      if (!webhook) {
        this.validator.requireUnchanged(owner, draft);
        Object.assign(draft, await compileWebhookFilter(tx, { ...wanted, events: [event] }));
        const [made] = await this.insert(tx, owner, [draft], { ...wanted, secret: secret ?? newWebhookSecret() });
        return { ...made!, changed: [] };
      }
      if (webhook.event !== event)
        throw new InvalidField('event', 'not_changeable', `event of this key is ${webhook.event}; use another key`);
      if (secret !== undefined) await this.secrets.requireLive(tx, webhook, secret, now);
      return { webhook, changed: await this.apply(tx, owner, webhook, { ...wanted, key }) };
    });
  }

  change(owner: WebhookOwner, id: string, changes: WebhookChanges): Promise<Webhook> {
    return this.write(owner, async (tx) => {
      const webhook = await lockWebhook(tx, owner, id);
      await this.apply(tx, owner, webhook, changes);
      return webhook;
    });
  }

  /** How many of the last events a webhook with this filter would have received. Round trips: 1, and 1 for each kind. */
  previewFilter(owner: WebhookOwner, wanted: Filtering) {
    requireReaderOf(owner, wanted.events);
    return previewFilter(this.transactions.account(owner), wanted);
  }

  private write<T>(owner: WebhookOwner, work: (tx: AccountTx, now: Date) => Promise<T>): Promise<T> {
    const account = this.transactions.account(owner);
    return this.transactions.run(owner, work).catch((error: unknown) => this.validator.explainClash(account, error));
  }

  private async insert(tx: AccountTx, owner: WebhookOwner, drafts: readonly Webhook[], wanted: NewWebhookSecrets) {
    const { secret } = wanted;
    const refuse = clashOf(drafts);
    const created: { readonly webhook: Webhook; readonly secret: string }[] = [];
    for (const draft of drafts) {
      await tx.repository(Webhook).insert(draft).catch(refuse);
      await this.secrets.issue(tx, draft, { secret, now: draft.createdAt });
      if ((await this.secrets.setHeaders(tx, draft, wanted, draft.createdAt)).length > 0) await this.save(tx, draft);
      await this.events.recordActivity(tx, owner, 'webhook_created', describeWebhookActivity(draft));
      created.push({ webhook: await readWebhook(tx, owner, draft.id), secret });
    }
    await this.validator.refuseTooMany(tx);
    return created;
  }

  /** Returns the changed fields. Every owner may pause. Sending more, or elsewhere, needs the right to make webhooks. */
  private async apply(tx: AccountTx, owner: WebhookOwner, webhook: Webhook, changes: WebhookChanges) {
    const { name, state, ...others } = changes;
    const { url, filter, signatures, key } = others;
    const now = this.transactions.now();
    requireReaderOf(owner, [webhook.event]);
    if (state === 'active' || Object.values(others).some((value) => value !== undefined))
      await requireMakerOfWebhooks(tx, owner, now);
    if (url !== undefined) this.validator.refuseUrl(url);
    this.validator.requireUnchanged(owner, webhook);
    if (state !== undefined && webhook.state === 'disabled') await restoreWebhookAccess(tx, owner, webhook, now);
    if (url !== undefined) requireHeadersAgain(webhook, url, changes);
    const isFiltered = filter !== undefined && filter !== webhook.filter;
    if (isFiltered)
      Object.assign(webhook, await compileWebhookFilter(tx, { events: [webhook.event], filter }), { updatedAt: now });
    const fields = Object.entries({
      key: key !== undefined && webhook.label('key', key, now),
      url: url !== undefined && webhook.changeUrl(url, now),
      name: name !== undefined && webhook.label('name', name, now),
      state: state !== undefined && webhook.setState(state, now),
      signatures: signatures !== undefined && webhook.setSignatures(signatures, now),
      filter: isFiltered,
    }).flatMap(([field, isChanged]) => (isChanged ? [field] : []));
    const changed = [...fields, ...(await this.secrets.setHeaders(tx, webhook, changes, now))];
    if (changed.length === 0) return changed;
    if (changed.includes('url')) webhook.registrationKey = registrationKey(webhook);
    await this.save(tx, webhook).catch(clashOf([webhook]));
    await this.events.recordActivity(tx, owner, 'webhook_changed', describeWebhookActivity(webhook));
    return changed;
  }

  private async save(tx: AccountTx, webhook: Webhook): Promise<void> {
    const { id, accountId: _, application: __, ...columns } = webhook;
    await tx.repository(Webhook).update({ id }, columns);
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

/** As written, or of a webhook that the caller’s maker has at another spelling of the URL. */
function isRegisteredAt(url: string, { applicationId, agentId }: WebhookOwner, conditions: Conditions): string {
  const kinds = Object.keys(EVENT_KINDS);
  const keys = URL.canParse(url) ? kinds.map((event) => registrationKey({ applicationId, agentId, event, url })) : [];
  return `(w.url = ${conditions.bind(url)} or w.registration_key = any(${conditions.bind(keys)}::bytea[]))`;
}
