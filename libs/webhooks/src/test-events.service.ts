import { accountStatement, columns, hydrate, uuidAt } from '#libs/database';
import { Delivery } from '#libs/entities';
import { type EventKind, Links, samplePayload } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { WebhookActions } from './webhook-actions.js';
import type { WebhookOwner } from './webhook-owner.js';
import { lockEnabledWebhook } from './webhook.statements.js';

/** It goes past the outbox: no other webhook of that kind shall hear of what did not happen. */
const SEND = accountStatement(
  'webhook_test',
  `with event as (
     insert into events (id, account_id, sequence, kind, payload, transaction_id, test, request_id, created_at)
     values ($2, $1, event_sequence(1), $3, $4, pg_current_xact_id()::text::bigint, true, $5, $6)
   ), debt as (
     insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, feed_at)
     values ($7, $1, $8, $2, 0, false, $6)
   )
   insert into deliveries as d (id, account_id, webhook_id, event_id, kind, state, next_attempt_at, created_at)
   values ($7, $1, $8, $2, $3, 'pending', $6, $6)
   returning ${columns(Delivery, 'd')}`,
);

@Injectable()
export class TestEventsService {
  constructor(
    private readonly actions: WebhookActions,
    private readonly links: Links,
  ) {}

  /** The sample of the webhook’s kind, to this webhook only, on the way that every delivery takes. */
  send(owner: WebhookOwner, webhookId: string): Promise<Delivery> {
    return this.actions.run(owner, async (tx, now) => {
      const { id, url, event } = await lockEnabledWebhook(tx, owner, webhookId);
      const payload = JSON.stringify(samplePayload(event as EventKind, this.links));
      const values = [uuidAt(now), event, payload, owner.requestId, now, uuidAt(now), id];
      const delivery = hydrate(Delivery, (await tx.row(SEND, values))!, 'd')!;
      await this.actions.recordActivity(tx, owner, 'webhook_tested', { id, url, event });
      return delivery;
    });
  }
}
