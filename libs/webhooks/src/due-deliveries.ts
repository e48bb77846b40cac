import { type SystemConnection, systemStatement, timeOfUuid } from '#libs/database';
import { LEASE_MS } from './ledger/lease.js';
import { OWED_LANES } from './owed-lanes.js';

/** The count stops here: beyond it, the exact number makes no difference. */
export const MAX_COUNTED_DUE = 50_000;

/** Webhooks of waiting events that are looked up, which bounds the cost of a long outbox. */
const MAX_COUNTED_UNRELAYED = 10_000;

const MAX_WEBHOOKS = 5_000;

/** Events per account. The relay takes an account's events from the front, so it soon gets beyond those of paused webhooks. */
const EVENTS_LOOKED_AT = 50;

/** A worker renews the lease of a delivery that it attempts each second. An older lease belongs to a delivery in the queue. */
const RENEWED_WITHIN_MS = 3_000;

const isOpen = (webhook: string): string =>
  `${webhook}.state = 'active' and coalesce(${webhook}.paced_until <= $1, true) and coalesce(${webhook}.slow_until <= $1, true)`;

/**
 * Counts what could be attempted now: events that are not deliveries yet, deliveries that are due, and deliveries in the
 * queue or at a worker. Webhooks that are paused, paced or slow have none. A delivery that a worker put off is not due
 * before its time, because its receiver has no room yet. Webhooks and accounts are found by hopping through an index,
 * and only the front of each is read.
 *
 * For a row in the queue, the end of its lease replaces the time at which it was due. So its age counts from the lease,
 * or from the time in the history once the lease is too old for a worker to be attempting it.
 */
const READ_DUE = systemStatement(
  'backlog_due',
  'Workers are scaled by what is due in all accounts together',
  `with recursive ${OWED_LANES}, page as materialized (
     select webhook_id from lane where webhook_id is not null limit ${MAX_WEBHOOKS}
   ), open as materialized (
     select p.webhook_id, w.paced_until from page p cross join lateral (
       select paced_until from webhooks w where w.id = p.webhook_id and ${isOpen('w')} limit 1) w
   ), unqueued as (
     select o.feed_at as due_at from open s cross join lateral (
       select feed_at from owed_deliveries o where o.webhook_id = s.webhook_id and not o.queued and o.feed_at <= $1
       order by o.feed_at limit 1) o
   ), queued as (
     select case when o.feed_at > $3 then o.feed_at - $2::int * interval '1 millisecond'
       else greatest(d.next_attempt_at, s.paced_until) end as due_at
     from open s cross join lateral (
       select delivery_id, feed_at from owed_deliveries o where o.webhook_id = s.webhook_id and o.queued
       order by o.feed_at limit 1
     ) o left join lateral (select next_attempt_at from deliveries d where d.id = o.delivery_id limit 1) d on o.feed_at <= $3
   ), account as (
     (select account_id from outbox order by account_id limit 1)
     union all
     select (select o.account_id from outbox o where o.account_id > a.account_id order by o.account_id limit 1)
     from account a where a.account_id is not null
   ), unrelayed as (
     select e.event_id from (select account_id from account where account_id is not null limit ${MAX_WEBHOOKS}) a
       cross join lateral (
         select f.event_id from (
           select event_id, webhook_ids from outbox o where o.account_id = a.account_id order by event_id limit ${EVENTS_LOOKED_AT}
         ) f
         where exists (select from unnest(f.webhook_ids) as u(id) cross join lateral (
           select from webhooks w where w.id = u.id and ${isOpen('w')} limit 1) w)
         order by f.event_id limit 1
       ) e
   ), counted as (
     select from open s cross join lateral (
       (select from owed_deliveries o where o.webhook_id = s.webhook_id and not o.queued and o.feed_at <= $1 limit ${MAX_COUNTED_DUE})
       union all
       (select from owed_deliveries o where o.webhook_id = s.webhook_id and o.queued limit ${MAX_COUNTED_DUE})
     ) o limit ${MAX_COUNTED_DUE}
   ), wanted as (
     select u.id from (select webhook_ids from outbox limit ${MAX_COUNTED_UNRELAYED}) o cross join lateral unnest(o.webhook_ids) as u(id)
     limit ${MAX_COUNTED_UNRELAYED}
   )
   select (select min(due_at) from (select due_at from unqueued union all select due_at from queued) due) as "oldestDueAt",
     (select event_id from unrelayed order by event_id limit 1) as "oldestEvent",
     (select count(*)::int from counted) + (
       select count(*)::int from wanted u cross join lateral (
         select from webhooks w where w.id = u.id and ${isOpen('w')} limit 1) w
     ) as due`,
);

interface Row {
  readonly oldestDueAt: Date | null;
  readonly oldestEvent: string | null;
  readonly due: number;
}

export interface DueDeliveries {
  readonly due: number;
  /** How long the oldest of them has been due. */
  readonly oldestDueSeconds: number;
}

export async function readDue(db: SystemConnection, now: Date): Promise<DueDeliveries> {
  const notRenewedSince = new Date(now.getTime() + LEASE_MS - RENEWED_WITHIN_MS);
  const { oldestDueAt, oldestEvent, due } = (await db.row<Row>(READ_DUE, [now, LEASE_MS, notRenewedSince]))!;
  const times = [oldestDueAt, oldestEvent === null ? null : timeOfUuid(oldestEvent)];
  const ages = times.map((at) => (at === null ? 0 : (now.getTime() - at.getTime()) / 1000));
  return { due, oldestDueSeconds: Math.max(0, ...ages) };
}
