import {
  type AccountConnection,
  type AccountTx,
  type SystemConnection,
  accountStatement,
  byKey,
  columns,
  filter,
  hydrate,
  systemStatement,
  uuidAt,
} from '#libs/database';
import { Delivery } from '#libs/entities';
import { RELAYED } from './claim.statements.js';

const OWE = accountStatement(
  'delivery_owe',
  `with owed as (
     insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, due_at)
     values ($2, $1, $3, $4, 0, false, $6)
   )
   insert into deliveries as d (id, account_id, webhook_id, event_id, kind, state, next_attempt_at, created_at)
   values ($2, $1, $3, $4, $5, 'pending', $6, $6)
   returning ${columns(Delivery, 'd')}`,
);

export async function owe(
  tx: AccountTx,
  { webhookId, eventId, kind }: Pick<Delivery, 'webhookId' | 'eventId' | 'kind'>,
  now: Date,
): Promise<Delivery> {
  return hydrate(Delivery, (await tx.row(OWE, [uuidAt(now), webhookId, eventId, kind, now]))!, 'd')!;
}

const OWE_AGAIN = accountStatement(
  'delivery_owe_again',
  `with hurried as (
     update owed_deliveries set due_at = $3 where account_id = $1 and delivery_id = $2 and not queued
     returning delivery_id
   ), owed as (
     insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, due_at)
     select d.id, $1, d.webhook_id, d.event_id, d.attempts, false, $3 from deliveries d
     where d.account_id = $1 and d.id = $2 and d.state <> 'pending'
     on conflict do nothing returning delivery_id
   )
   update deliveries d set state = 'pending', next_attempt_at = $3, finished_at = null
   from (select delivery_id from hurried union all select delivery_id from owed) again
   where d.account_id = $1 and ${byKey('d.id', 'again.delivery_id')}`,
);

/**
 * Makes a delivery due now, but leaves queued and running ones alone. Writes the owed row before the delivery, and
 * before the caller locks the webhook, as `recordAttempts` does, so that the two never deadlock.
 */
export async function oweAgain(tx: AccountTx, deliveryId: string, now: Date): Promise<void> {
  await tx.rows(OWE_AGAIN, [deliveryId, now]);
}

const MAKE_DUE = systemStatement(
  'owed_make_due',
  'The operator makes what waits due in whichever account',
  `with part as materialized (
     select delivery_id from owed_deliveries
     where not queued and due_at > $3 and ($1::uuid is null or account_id = $1) and ($2::uuid is null or webhook_id = $2)
     limit $4
   ), locked as materialized (
     select w.delivery_id from (select delivery_id from part order by delivery_id) p cross join lateral (
       select delivery_id from owed_deliveries where delivery_id = p.delivery_id and ${filter('not queued')} limit 1 for update
     ) w
   ), due as (
     update owed_deliveries set due_at = $3 where delivery_id = any(array(select delivery_id from locked))
     returning delivery_id
   ), shown as (
     update deliveries d set next_attempt_at = $3 from due where ${byKey('d.id', 'due.delivery_id')} and d.state = 'pending'
   )
   select from due`,
);

interface Scope {
  readonly accountId?: string | undefined;
  readonly webhookId?: string | undefined;
}

/** Small, so that the feeder hardly waits. */
const BATCH = 2_000;

/** Pauses, and waits that receivers asked for, still hold. */
export async function makeDue(db: SystemConnection, { accountId, webhookId }: Scope, now: Date): Promise<number> {
  for (let total = 0; ;) {
    const due = await db.rows(MAKE_DUE, [accountId ?? null, webhookId ?? null, now, BATCH]);
    total += due.length;
    if (due.length === 0) return total;
  }
}

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

/** Cancels nothing of a webhook that is enabled again while a caller cancels in batches. */
const CANCEL_OF_WEBHOOK = accountStatement(
  'owed_cancel_of_webhook',
  cancelWhere(
    `${filter('account_id = $1')} and not exists (select from webhooks where id = $2 and state <> 'disabled')
       and (webhook_id, queued, due_at) >= ($2::uuid, false, '-infinity'::timestamptz)
       and (webhook_id, queued, due_at) <= ($2::uuid, true, 'infinity'::timestamptz) order by webhook_id, queued, due_at`,
    '$3',
    '$4',
  ),
);

interface CancelOptions {
  readonly now: Date;
  readonly limit: number;
}

export async function cancelOwed(connection: AccountConnection, webhookId: string, { now, limit }: CancelOptions) {
  return (await connection.row<{ count: number }>(CANCEL_OF_WEBHOOK, [webhookId, now, limit]))!.count;
}

const CANCEL_BEFORE = systemStatement(
  'owed_cancel_before',
  'What is kept is decided by its age alone, in every account',
  cancelWhere('event_id < $1', '$2', '$3'),
);

/** Cancels deliveries of purged events: those of paused webhooks, and replays. */
export async function cancelOwedBefore(db: SystemConnection, eventId: string, { now, limit }: CancelOptions) {
  return (await db.row<{ count: number }>(CANCEL_BEFORE, [eventId, now, limit]))!.count;
}

const SWEEP_OUTBOX = systemStatement(
  'outbox_sweep',
  'What is kept is decided by its age alone, in every account',
  `delete from outbox where ctid = any(array(select ctid from outbox where express and event_id < $1 limit $2 for update skip locked)
     || array(select ctid from outbox where ${RELAYED} and event_id < $1 limit $2 for update skip locked)) returning 1`,
);

/** Deletes purged events that were never relayed. */
export async function sweepOutbox(db: SystemConnection, beforeEventId: string, limit: number): Promise<number> {
  return (await db.rows(SWEEP_OUTBOX, [beforeEventId, limit])).length;
}
