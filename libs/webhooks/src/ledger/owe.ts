import { type AccountTx, accountStatement, columns, hydrate, uuidAt } from '#libs/database';
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
