import {
  type AccountConnection,
  type SystemConnection,
  accountStatement,
  byKey,
  filter,
  systemStatement,
} from '#libs/database';

/** Every statement on several rows locks them ordered by id, so that none deadlocks. */
const cancelWhere = (condition: string, now: string, limit: string): string =>
  `with part as materialized (
     select delivery_id from owed_deliveries where ${condition} limit ${limit}
   ), locked as materialized (
     select o.delivery_id from (select delivery_id from part order by delivery_id) p cross join lateral (
       select delivery_id from owed_deliveries where delivery_id = p.delivery_id limit 1 for update
     ) o
   ), no_longer_owed as (
     delete from owed_deliveries where delivery_id = any(array(select delivery_id from locked)) returning delivery_id
   ), cancelled as (
     update deliveries d set state = 'cancelled', next_attempt_at = null, finished_at = ${now}
     from no_longer_owed o where ${byKey('d.id', 'o.delivery_id')} and d.state = 'pending'
   )
   select count(*)::int as count from no_longer_owed`;

const CANCEL_OF_WEBHOOK = accountStatement(
  'owed_cancel_of_webhook',
  cancelWhere(
    `${filter('account_id = $1')} and (webhook_id, queued, feed_at) >= ($2::uuid, false, '-infinity'::timestamptz)
       and (webhook_id, queued, feed_at) <= ($2::uuid, true, 'infinity'::timestamptz) order by webhook_id, queued, feed_at`,
    '$3',
    '$4',
  ),
);

interface CancelOptions {
  readonly now: Date;
  readonly limit: number;
}

export async function cancelOwed(
  connection: AccountConnection,
  webhookId: string,
  { now, limit }: CancelOptions,
): Promise<number> {
  return (await connection.row<{ count: number }>(CANCEL_OF_WEBHOOK, [webhookId, now, limit]))?.count ?? 0;
}

const CANCEL_BEFORE = systemStatement(
  'retention_owed',
  'What is kept is decided by its age alone, in every account',
  cancelWhere('event_id < $1', '$2', '$3'),
);

/** Cancels deliveries of purged events: those of paused webhooks, and replays. */
export async function cancelOwedBefore(
  db: SystemConnection,
  eventId: string,
  { now, limit }: CancelOptions,
): Promise<number> {
  return (await db.row<{ count: number }>(CANCEL_BEFORE, [eventId, now, limit]))?.count ?? 0;
}

const SWEEP_OUTBOX = systemStatement(
  'retention_outbox',
  'What is kept is decided by its age alone, in every account',
  `delete from outbox where ctid = any(array(select ctid from outbox where event_id < $1 limit $2 for update skip locked))
   returning 1`,
);

/** Deletes purged events that were never relayed. */
export async function sweepOutbox(db: SystemConnection, beforeEventId: string, limit: number): Promise<number> {
  return (await db.rows(SWEEP_OUTBOX, [beforeEventId, limit])).length;
}
