import { type AccountTx, Transactions, isUuid, later, uuidAt } from '#libs/database';
import { asymmetricKeysOf, type AsymmetricKey, newWebhookSecret } from '#libs/delivery';
import { InvalidField, type Webhook, WebhookSecret } from '#libs/entities';
import { EventsService } from '#libs/events';
import type { LiveSecret } from '#libs/payloads';
import { SecretBox } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { type WebhookOwner, describeWebhookActivity } from './webhook-owner.js';
import { readLiveSecrets, supersedeSecrets } from './webhook-secret.statements.js';
import { lockWebhook } from './webhook.statements.js';

/** Receivers can change secrets without refusing deliveries. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

@Injectable()
export class WebhookSecretsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly box: SecretBox,
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

  rotate(owner: WebhookOwner, webhookId: string): Promise<LiveSecret[]> {
    return this.transactions.run(owner, async (tx, now) => {
      const webhook = await lockWebhook(tx, owner, webhookId);
      await supersedeSecrets(tx, webhook.id, { now, until: later(now, OVERLAP_MS) });
      await this.issue(tx, webhook, { secret: newWebhookSecret(), now });
      await this.events.recordActivity(tx, owner, 'webhook_secret_rotated', describeWebhookActivity(webhook));
      return this.live(tx, webhook, now);
    });
  }

  async issue(tx: AccountTx, webhook: Webhook, { secret, now }: { secret: string; now: Date }): Promise<void> {
    const sealed = this.box.seal(secret, webhook.id);
    await tx.repository(WebhookSecret).insert({ id: uuidAt(now), webhookId: webhook.id, ...sealed, createdAt: now });
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
