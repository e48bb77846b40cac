import { Clock, Database, accountStatement, isUuid, uuidAt } from '#libs/database';
import { InvalidField, NotFound, Webhook, WebhookSecret } from '#libs/entities';
import type { EventKind } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { SecretBox } from './sealed-secret.js';
import { newWebhookSecret } from './signature.js';
import { checkWebhookUrl } from './webhook-url.js';

/** Who asks. Without an application it is a person; `admin` may touch every webhook of the account. */
export interface WebhookOwner {
  readonly accountId: string;
  readonly applicationId: string | null;
  readonly grantId: string | null;
  readonly scopes: readonly string[];
}

/** The webhook ends, and with it what was still owed to it: one round trip. */
const REMOVE = accountStatement(
  'webhook_remove',
  `with removed as (
     delete from webhooks where account_id = $1 and id = $2 and ($4 or application_id is not distinct from $3) returning id
   ), no_longer_owed as (
     delete from owed_deliveries where account_id = $1 and webhook_id in (select id from removed) returning delivery_id
   ), cancelled as (
     update deliveries d set state = 'cancelled', next_attempt_at = null, finished_at = $5
     from no_longer_owed o where d.account_id = $1 and d.id = o.delivery_id and d.state = 'pending'
   )
   select id from removed`,
);

@Injectable()
export class WebhooksService {
  private readonly box: SecretBox;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {
    this.box = new SecretBox(settings.SECRETS_KEY);
  }

  async create(
    owner: WebhookOwner,
    wanted: { event: EventKind; url: string },
  ): Promise<{ webhook: Webhook; secret: string }> {
    this.refuseAddress(wanted.url);
    const now = this.clock.now();
    const secret = newWebhookSecret();
    const webhook = Object.assign(new Webhook(), {
      id: uuidAt(now),
      applicationId: owner.applicationId,
      grantId: owner.grantId,
      event: wanted.event,
      url: wanted.url,
      state: 'active' as const,
      disabledReason: null,
      createdAt: now,
      updatedAt: now,
    });
    await this.database.account(owner.accountId).transaction(async (tx) => {
      await tx.table(Webhook).insert(webhook);
      await tx
        .table(WebhookSecret)
        .insert({ id: uuidAt(now), webhookId: webhook.id, ...this.box.seal(secret, webhook.id), createdAt: now });
    });
    return { webhook, secret };
  }

  async remove(owner: WebhookOwner, id: string): Promise<void> {
    const all = owner.scopes.includes('admin');
    const account = this.database.account(owner.accountId);
    const removed = isUuid(id) && (await account.row(REMOVE, [id, owner.applicationId, all, this.clock.now()]));
    if (!removed) throw new NotFound('webhook');
  }

  private refuseAddress(url: string): void {
    const checked = checkWebhookUrl(url, { requireHttps: this.settings.WEBHOOK_REQUIRE_HTTPS });
    if (!checked.ok) throw new InvalidField('url', checked.code, `url ${checked.message}`);
  }
}
