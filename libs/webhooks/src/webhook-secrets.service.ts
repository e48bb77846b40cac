import {
  type AccountTx,
  type SystemConnection,
  Transactions,
  accountStatement,
  later,
  systemStatement,
  uuidAt,
} from '#libs/database';
import { type Webhook, WebhookSecret } from '#libs/entities';
import { EventsService } from '#libs/events';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { describeWebhookActivity } from './webhook-activity.js';
import { SecretBox } from '#libs/secret-box';
import { newWebhookSecret } from './signature.js';
import type { WebhookOwner } from './webhook-owner.js';
import { lockWebhook } from './webhook.statements.js';

export interface LiveSecret {
  readonly secret: string;
  readonly createdAt: Date;
  /** Set once a newer one has replaced it; both sign until then. */
  readonly expiresAt: Date | null;
}

const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** Each live secret is one more signature in the header of every delivery. */
const MAX_LIVE = 5;

const LIVE = accountStatement(
  'webhook_secrets_live',
  `select id, sealed, key_id as "keyId", created_at as "createdAt", expires_at as "expiresAt" from webhook_secrets
   where account_id = $1 and webhook_id = $2 and (expires_at is null or expires_at > $3)
   order by created_at desc, id desc`,
);

/** Those before end with the overlap, or when they would have anyway; the oldest at once where they are too many. */
const SUPERSEDE = accountStatement(
  'webhook_secrets_supersede',
  `with aged as (
     select id, row_number() over (order by created_at desc, id desc) as age from webhook_secrets
     where account_id = $1 and webhook_id = $2 and (expires_at is null or expires_at > $3)
   )
   update webhook_secrets s set expires_at = case when age < ${MAX_LIVE} then coalesce(s.expires_at, $4) else $3 end
   from aged where s.id = aged.id`,
);

@Injectable()
export class WebhookSecretsService {
  private readonly box: SecretBox;

  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    @Inject(SETTINGS_TOKEN) settings: Settings,
  ) {
    this.box = new SecretBox(settings.SECRETS_KEY);
  }

  /** Those that sign now, newest first. Who looked is noted. */
  read(owner: WebhookOwner, webhookId: string): Promise<LiveSecret[]> {
    return this.transactions.run(owner, async (tx, now) => {
      const webhook = await lockWebhook(tx, owner, webhookId);
      await this.events.recordActivity(tx, owner, 'webhook_secret_read', describeWebhookActivity(webhook));
      return this.live(tx, webhook, now);
    });
  }

  /** A new secret. The one before signs beside it for a day, so that the receiver can be changed without a gap. */
  rotate(owner: WebhookOwner, webhookId: string): Promise<LiveSecret[]> {
    return this.transactions.run(owner, async (tx, now) => {
      const webhook = await lockWebhook(tx, owner, webhookId);
      await tx.rows(SUPERSEDE, [webhook.id, now, later(now, OVERLAP_MS)]);
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
    const rows = await tx.rows<WebhookSecret>(LIVE, [webhook.id, now]);
    return rows.map(({ sealed, keyId, createdAt, expiresAt }) => ({
      secret: this.box.open({ sealed, keyId }, webhook.id),
      createdAt,
      expiresAt,
    }));
  }
}

const DELETE_REPLACED_SECRETS = systemStatement(
  'upkeep_webhook_secrets',
  'Upkeep takes what has ended from all accounts alike',
  "delete from webhook_secrets where expires_at < $1::timestamptz - interval '1 day' returning 1",
);

/** Those that stopped signing a day ago. Says how many. */
export async function deleteReplacedSecrets(db: SystemConnection, now: Date): Promise<number> {
  return (await db.rows(DELETE_REPLACED_SECRETS, [now])).length;
}
