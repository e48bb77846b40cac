import { accountStatement, columns, hydrate, uuidAt } from '#libs/database';
import { Delivery } from '#libs/entities';
import { type EventKind, Links, sampleOf } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { Deeds } from './deeds.js';
import type { WebhookOwner } from './webhook-owner.js';
import { keepEnabled } from './webhook.rows.js';

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
export class TestEvents {
  constructor(
    private readonly deeds: Deeds,
    private readonly links: Links,
  ) {}

  /** The sample of the webhook’s kind, to this webhook only, on the way that every delivery takes. */
  send(owner: WebhookOwner, webhookId: string): Promise<Delivery> {
    return this.deeds.do(owner, async (tx, now) => {
      const { id, url, event } = await keepEnabled(tx, owner, webhookId);
      const payload = JSON.stringify(sampleOf(event as EventKind, this.links));
      const values = [uuidAt(now), event, payload, owner.requestId, now, uuidAt(now), id];
      const delivery = hydrate(Delivery, (await tx.row(SEND, values))!, 'd')!;
      await this.deeds.note(tx, owner, 'webhook_tested', { id, url, event });
      return delivery;
    });
  }
}
