import { type AccountTx, accountStatement, byKey, columns, hydrate, uuidAt } from '#libs/database';
import { Delivery } from '#libs/entities';

const OWE = accountStatement(
  'delivery_owe',
  `with owed as (
     insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, feed_at)
     values ($2, $1, $3, $4, 0, false, $6)
   )
   insert into deliveries as d (id, account_id, webhook_id, event_id, kind, state, next_attempt_at, created_at)
   values ($2, $1, $3, $4, $5, 'pending', $6, $6)
   returning ${columns(Delivery, 'd')}`,
);

export interface NewDelivery {
  readonly webhookId: string;
  readonly eventId: string;
  readonly kind: string;
}

/** A delivery of one event to one webhook, due now. Events of the outbox become deliveries in `claimEvents`. */
export async function owe(tx: AccountTx, { webhookId, eventId, kind }: NewDelivery, now: Date): Promise<Delivery> {
  return hydrate(Delivery, (await tx.row(OWE, [uuidAt(now), webhookId, eventId, kind, now]))!, 'd')!;
}

const OWE_AGAIN = accountStatement(
  'delivery_redeliver',
  `with hurried as (
     update owed_deliveries set feed_at = $3 where account_id = $1 and delivery_id = $2 and not queued
     returning delivery_id
   ), owed as (
     insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, feed_at)
     select d.id, $1, d.webhook_id, d.event_id, d.attempts, false, $3 from deliveries d
     where d.account_id = $1 and d.id = $2 and d.state <> 'pending'
     on conflict do nothing returning delivery_id
   )
   update deliveries d set state = 'pending', next_attempt_at = $3, finished_at = null
   from (select delivery_id from hurried union all select delivery_id from owed) again
   where d.account_id = $1 and ${byKey('d.id', 'again.delivery_id')}`,
);

/**
 * Whatever became of it before, the delivery is due now. What is in the queue or in a worker’s hands goes out anyway and
 * is left alone. The owed row is written before the delivery, as in `recordAttempts`, so that the two never deadlock.
 */
export async function oweAgain(tx: AccountTx, deliveryId: string, now: Date): Promise<void> {
  await tx.rows(OWE_AGAIN, [deliveryId, now]);
}
