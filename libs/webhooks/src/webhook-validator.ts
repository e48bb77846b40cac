import type { AccountTx } from '#libs/database';
import { Conflict, InvalidField, PreconditionFailed, Webhook } from '#libs/entities';
import { Links, RECORDS, entityTag } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import type { WebhookOwner } from './webhook-owner.js';
import { checkWebhookUrl } from './webhook-url.js';

/** What a webhook may not be, and when it may not be changed. */
@Injectable()
export class WebhookValidator {
  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    private readonly links: Links,
  ) {}

  refuseUrl(url: string): void {
    const checked = checkWebhookUrl(url, { requireHttps: this.settings.WEBHOOK_REQUIRE_HTTPS });
    if (!checked.ok) throw new InvalidField('url', checked.code, `url ${checked.message}`);
  }

  /** After some were added. Whoever else adds some to this account waits from here until the end of the transaction. */
  async refuseTooMany(tx: AccountTx): Promise<void> {
    const most = this.settings.WEBHOOKS_PER_ACCOUNT;
    if ((await tx.repository(Webhook).countInTurn()) > most)
      throw new Conflict('too_many_webhooks', `An account has at most ${most} webhooks.`);
  }

  /** With its row locked: what the client had read is what is about to be changed. */
  requireUnchanged({ ifMatch }: WebhookOwner, webhook: Webhook): void {
    if (ifMatch && !ifMatch.includes(entityTag({ webhook: RECORDS.Webhook(webhook, this.links) })))
      throw new PreconditionFailed();
  }
}
