import { isDeepStrictEqual } from 'node:util';
import { type AccountTx, Transactions, isUuid, later, uuidAt } from '#libs/database';
import { asymmetricKeysOf, type AsymmetricKey, newWebhookSecret } from '#libs/delivery';
import { InvalidField, Webhook, WebhookSecret } from '#libs/entities';
import { EventsService } from '#libs/events';
import type { LiveSecret } from '#libs/payloads';
import { SecretBox } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { type WebhookOwner, describeWebhookActivity } from './webhook-owner.js';
import { HEADER_PARTS, NO_HEADERS, type SealedHeaders, type WantedHeaders, mergeHeaders } from './webhook-headers.js';
import { WebhookValidator } from './webhook-validator.js';
import { readLiveSecrets, supersedeSecrets } from './webhook-secret.statements.js';
import { lockWebhook } from './webhook.statements.js';

const HOUR_MS = 60 * 60 * 1000;

type Sealable = { readonly secret: string; readonly now: Date; readonly signs?: boolean };

interface Rotation {
  readonly secret?: string | undefined;
  /** Both secrets sign meanwhile, so that receivers can change theirs without refusing deliveries. */
  readonly overlapHours?: number | undefined;
  /** Also those that were registered in the same request. */
  readonly together?: boolean | undefined;
}

@Injectable()
export class WebhookSecretsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly box: SecretBox,
    private readonly validator: WebhookValidator,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  /** Newest first. Records the reader. */
  read(owner: WebhookOwner, webhookId: string): Promise<LiveSecret[]> {
    return this.transactions.run(owner, async (tx, now) => {
      const webhook = await lockWebhook(tx, owner, webhookId);
      await this.events.recordActivity(tx, owner, 'webhook_secret_read', describeWebhookActivity(webhook));
      return this.live(tx, webhook, now);
    });
  }

  /** Returns the secrets of the webhook that is named. */
  rotate(
    owner: WebhookOwner,
    webhookId: string,
    { secret = newWebhookSecret(), overlapHours = 24, together = false }: Rotation = {},
  ): Promise<LiveSecret[]> {
    return this.transactions.run(owner, async (tx, now) => {
      const webhook = await lockWebhook(tx, owner, webhookId);
      this.validator.requireUnchanged(owner, webhook);
      for (const each of together ? await this.lockTogether(tx, webhook) : [webhook]) {
        await supersedeSecrets(tx, each.id, { now, until: later(now, overlapHours * HOUR_MS) });
        await this.issue(tx, each, { secret, now });
        await this.events.recordActivity(tx, owner, 'webhook_secret_rotated', describeWebhookActivity(each));
      }
      return this.live(tx, webhook, now);
    });
  }

  /** Webhooks of one request have one maker. */
  private async lockTogether(tx: AccountTx, webhook: Webhook): Promise<Webhook[]> {
    const { requestId } = webhook;
    if (requestId === null) return [webhook];
    await tx.repository(Webhook).lockAll({ requestId });
    return tx.repository(Webhook).find({ requestId });
  }

  async requireLive(tx: AccountTx, webhook: Webhook, secret: string, now: Date): Promise<void> {
    const live = await this.live(tx, webhook, now);
    if (!live.some((one) => one.secret === secret))
      throw new InvalidField('secret', 'not_current', 'secret does not sign for this webhook; rotate to it first');
  }

  async issue(tx: AccountTx, webhook: Webhook, { secret, now, signs = true }: Sealable): Promise<string> {
    const row = { id: uuidAt(now), webhookId: webhook.id, ...this.box.seal(secret, webhook.id), signs, createdAt: now };
    await tx.repository(WebhookSecret).insert(row);
    return row.id;
  }

  /** Does not save the webhook. The values get a new row, because workers cache rows by id. */
  async setHeaders(tx: AccountTx, webhook: Webhook, wanted: WantedHeaders, now: Date): Promise<string[]> {
    const { headers, authentication } = wanted;
    if (headers === undefined && authentication === undefined) return [];
    const { headersId: id } = webhook;
    const row = id === null ? null : await tx.repository(WebhookSecret).findOne({ id });
    const before = row ? (JSON.parse(this.box.open(row, webhook.id)) as SealedHeaders) : NO_HEADERS;
    const after = mergeHeaders(before, wanted);
    const changed = HEADER_PARTS.filter((part) => !isDeepStrictEqual(before[part], after[part]));
    if (changed.length === 0) return changed;
    if (row) await tx.repository(WebhookSecret).update({ id: row.id }, { expiresAt: now });
    const isEmpty = isDeepStrictEqual(after, NO_HEADERS);
    Object.assign(webhook, {
      headersId: isEmpty ? null : await this.issue(tx, webhook, { secret: JSON.stringify(after), now, signs: false }),
      headerNames: Object.keys(after.headers),
      authenticationType: authentication === undefined ? webhook.authenticationType : (authentication?.type ?? null),
      updatedAt: now,
    });
    return changed;
  }

  private async live(tx: AccountTx, webhook: Webhook, now: Date): Promise<LiveSecret[]> {
    return (await readLiveSecrets(tx, webhook.id, now)).map(({ sealed, keyId, createdAt, expiresAt }) => ({
      secret: this.box.open({ sealed, keyId }, webhook.id),
      createdAt,
      expiresAt,
    }));
  }

  /** Unknown ids have keys too, so that the response reveals no webhook. */
  publicKeysOf(webhookId = ''): AsymmetricKey[] {
    if (webhookId === '')
      throw new InvalidField('webhook', 'required', 'webhook is required; keys_url of a webhook has it');
    if (!isUuid(webhookId)) throw new InvalidField('webhook', 'malformed', 'webhook must be the id of a webhook');
    return asymmetricKeysOf(this.settings.SECRETS_KEY, webhookId.toLowerCase());
  }
}
