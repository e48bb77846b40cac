import { Clock, Database, systemStatement } from '#libs/database';
import type { DisabledReason } from '#libs/entities';
import { oweMails } from '#libs/mail';
import { Injectable } from '@nestjs/common';
import { cancelOwed } from './ledger/cancel.js';

/** Rows that one statement takes. */
const BATCH = 2_000;

const REASON = 'The rules on receivers that are gone or keep failing, and the operator, reach every account';

/**
 * The mail about it is owed from the same commit on. `$4`, where given, is what was read when the decision was made:
 * a success in between takes it back.
 */
const DISABLE = systemStatement(
  'webhook_disable',
  REASON,
  `with disabled as (
     update webhooks set state = 'disabled', disabled_reason = $2, updated_at = $3
     where id = $1 and state <> 'disabled' and ($4::timestamptz is null or failing_since = $4)
     returning id, account_id, event, url
   ), notice as (
     ${oweMails(
       'webhook_notice',
       `select d.account_id, a.email, jsonb_build_object('webhook', d.id, 'event', d.event, 'url', d.url, 'reason', $2::text),
          $3::timestamptz
        from disabled d cross join lateral (
          select email from agents where account_id = d.account_id and state = 'active' and role in ('owner', 'admin')
          offset 0) a`,
     )}
   )
   select account_id as "accountId" from disabled`,
);

export interface DisableRequest {
  readonly webhookId: string;
  readonly reason: DisabledReason;
  /** When given, it must still be so. */
  readonly failingSince?: Date;
}

/** The end of a webhook, whoever decided it. */
@Injectable()
export class WebhookDisablingService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Switched off at once, in one statement; then what was owed to it is cancelled, a part at a time, however much it
   * is. Should this process end in between, upkeep cancels the rest. Says whether it was this call that did it.
   */
  async disable({ webhookId, reason, failingSince }: DisableRequest): Promise<boolean> {
    const values = [webhookId, reason, this.clock.now(), failingSince ?? null];
    const webhook = await this.database.system().row<{ accountId: string }>(DISABLE, values);
    if (!webhook) return false;
    while ((await this.cancelBatch(webhook.accountId, webhookId)) === BATCH);
    return true;
  }

  /** A part of what is owed to a webhook that has ended. Says how many deliveries that were; one round trip. */
  cancelBatch(accountId: string, webhookId: string): Promise<number> {
    return cancelOwed(this.database.account(accountId), webhookId, { now: this.clock.now(), limit: BATCH });
  }
}
