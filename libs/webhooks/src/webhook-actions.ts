import { type AccountDatabase, type AccountTx, Bell, Clock, Database, uuidAt } from '#libs/database';
import { Activity, type Webhook } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { WebhookOwner } from './webhook-owner.js';

export type WebhookAction =
  | 'webhook_created'
  | 'webhook_changed'
  | 'webhook_deleted'
  | 'webhook_secret_read'
  | 'webhook_secret_rotated'
  | 'webhook_tested'
  | 'webhook_replayed'
  | 'webhook_replay_cancelled'
  | 'webhook_redelivered';

/** What somebody does to a webhook: all of it and the note of who did it, or nothing. */
@Injectable()
export class WebhookActions {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly bell: Bell,
  ) {}

  /** For reading what needs no transaction. */
  account(owner: WebhookOwner): AccountDatabase {
    return this.database.account(owner.accountId);
  }

  run<T>(owner: WebhookOwner, work: (tx: AccountTx, now: Date) => Promise<T>): Promise<T> {
    return this.account(owner).transaction((tx) => work(tx, this.clock.now()));
  }

  /** Last in the transaction, kept with everything else that was done in the account. */
  async recordActivity(
    tx: AccountTx,
    owner: WebhookOwner,
    deed: WebhookAction,
    webhook: Pick<Webhook, 'id' | 'url' | 'event'>,
  ) {
    const now = this.clock.now();
    const { agentId, applicationId, requestId } = owner;
    const { id, url: subject, event } = webhook;
    const description = { kind: deed, subject, detail: { webhook: id, event } };
    await tx
      .repository(Activity)
      .insert({ ...description, id: uuidAt(now), ticketId: null, agentId, applicationId, requestId, createdAt: now });
    tx.onCommit(this.bell.ring);
  }
}
