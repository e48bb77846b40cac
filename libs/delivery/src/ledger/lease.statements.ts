import { type SystemConnection, arraysOf, byKey, filter, systemStatement } from '#libs/database';
import type { QueuedDelivery } from '../queue/delivery-job.js';

/** A delivery whose lease is not renewed for this long is due again, and the next pulse feeds it. */
export const LEASE_MS = 9_000;

/** Key of the advisory lock that keeps other feeders out. */
const FEEDER_LOCK = 7_311_530_942;

export interface LeaseRequest {
  readonly afterWebhook: string;
  readonly webhooks: number;
  readonly perSlowWebhook: number;
  readonly capacity: number;
  readonly now: Date;
  readonly leasedUntil: Date;
}

interface LeaseSummary {
  /** False while another process feeds. */
  readonly mine: boolean;
  readonly webhooks: number;
  readonly lastWebhook: string | null;
  readonly found: number;
}

interface LeasedDeliveries extends LeaseSummary {
  readonly deliveries: readonly QueuedDelivery[];
}

/**
 * Webhooks take turns. Reads only the front of each due range. A slow webhook gets only a probe, so its queued
 * deliveries are counted. The lock ends with the statement, so there is no leader to elect and no lock to leak.
 */
const LEASE_DUE = systemStatement(
  'owed_lease_due',
  'The feeder serves the webhooks of every account by turns',
  `with recursive turn as materialized (
     select pg_try_advisory_xact_lock($7) as mine
   ), lane as (
     (select o.webhook_id from owed_deliveries o where (select mine from turn) and o.webhook_id > $1 order by o.webhook_id limit 1)
     union all
     select (select o.webhook_id from owed_deliveries o where o.webhook_id > l.webhook_id order by o.webhook_id limit 1)
     from lane l where l.webhook_id is not null
   ), page as materialized (
     select webhook_id from lane where webhook_id is not null limit $2
   ), due_lane as materialized (
     select p.webhook_id, coalesce(w.slow_until > $3, false) as slow, greatest(5, $6::int / count(*) over ()) as turn
     from page p cross join lateral (
       select slow_until from webhooks w
       where w.id = p.webhook_id and w.state = 'active' and coalesce(w.retry_after_until <= $3, true) limit 1
     ) w cross join lateral (
       select from owed_deliveries o where o.webhook_id = p.webhook_id and not o.queued and o.due_at <= $3 limit 1
     ) o where $6::int > 0
   ), open as materialized (
     select l.webhook_id, case when not slow then l.turn else greatest(0, $5::int - (
       select count(*)::int from (
         select from owed_deliveries o where o.webhook_id = l.webhook_id and o.queued limit $5::int) q)) end as room
     from due_lane l
   ), due as materialized (
     select d.delivery_id from open o cross join lateral (
       select delivery_id from owed_deliveries d
       where d.webhook_id = o.webhook_id and not d.queued and d.due_at <= $3 order by d.due_at limit o.room
     ) d
   ), fed as (
     update owed_deliveries o set queued = true, due_at = $4
     where o.delivery_id = any(array(select delivery_id from due)) and ${filter('not o.queued and o.due_at <= $3')}
     returning o.delivery_id, o.event_id, o.attempts
   ), lost as materialized (
     select l.delivery_id from page p cross join lateral (
       select delivery_id from owed_deliveries o where o.webhook_id = p.webhook_id and o.queued and o.due_at <= $3
       order by o.due_at limit $2
     ) l
   ), found as (
     update owed_deliveries o set queued = false, due_at = $3
     where o.delivery_id = any(array(select delivery_id from lost)) and ${filter('o.queued and o.due_at <= $3')} returning 1
   ), summary as (
     select (select mine from turn) as "mine", (select count(*)::int from page) as "webhooks",
       (select webhook_id from page order by 1 desc limit 1) as "lastWebhook", (select count(*)::int from found) as "found"
   )
   select s.*, f.delivery_id as "deliveryId", f.event_id as "eventId", f.attempts
   from summary s left join fed f on true`,
);

/** Also leases deliveries whose lease expired. */
export async function leaseDue(db: SystemConnection, request: LeaseRequest): Promise<LeasedDeliveries> {
  const { afterWebhook, webhooks, now, leasedUntil, perSlowWebhook, capacity } = request;
  const values = [afterWebhook, webhooks, now, leasedUntil, perSlowWebhook, capacity, FEEDER_LOCK];
  const rows = await db.rows<LeaseSummary & QueuedDelivery>(LEASE_DUE, values);
  return { ...rows[0]!, deliveries: rows.filter(({ deliveryId }) => deliveryId !== null) };
}

/** A late call for an earlier attempt changes nothing. */
export type AttemptRef = Pick<QueuedDelivery, 'deliveryId' | 'attempts'>;

type HasDelivery = Pick<AttemptRef, 'deliveryId'>;

/** All statements lock in this order, so batches never deadlock. */
export const byDelivery = (a: HasDelivery, b: HasDelivery): number => (a.deliveryId < b.deliveryId ? -1 : 1);

/** Skips recorded attempts: their deliveries rest until due. */
const EXTEND_LEASES = systemStatement(
  'owed_extend_leases',
  'A worker holds deliveries of many accounts in its hands',
  `update owed_deliveries o set due_at = $3
   from unnest($1::uuid[], $2::int[]) as r(delivery_id, attempts)
   where ${byKey('o.delivery_id', 'r.delivery_id')} and ${filter('o.attempts = r.attempts and o.queued')}`,
);

export async function extendLeases(
  db: SystemConnection,
  refs: readonly AttemptRef[],
  leasedUntil: Date,
): Promise<void> {
  if (refs.length === 0) return;
  await db.rows(EXTEND_LEASES, [...arraysOf(refs.toSorted(byDelivery), 'deliveryId', 'attempts'), leasedUntil]);
}

const GIVE_BACK = systemStatement(
  'owed_give_back',
  'A batch holds deliveries of many accounts; each is named by its own id',
  `update owed_deliveries o set queued = false, due_at = r.due_at
   from unnest($1::uuid[], $2::int[], $3::timestamptz[]) as r(delivery_id, attempts, due_at)
   where ${byKey('o.delivery_id', 'r.delivery_id')} and o.attempts = r.attempts and ${filter('o.queued')}`,
);

export async function giveBack(db: SystemConnection, leases: readonly { ref: AttemptRef; dueAt: Date }[]) {
  const returned = leases.map(({ ref, dueAt }) => ({ ...ref, dueAt })).toSorted(byDelivery);
  await db.rows(GIVE_BACK, arraysOf(returned, 'deliveryId', 'attempts', 'dueAt'));
}

const GIVE_BACK_ALL = systemStatement(
  'owed_give_back_all',
  'A lost queue held the deliveries of every account',
  'update owed_deliveries set queued = false, due_at = $1 where queued returning 1',
);

export async function giveBackAll(db: SystemConnection, dueAt: Date): Promise<number> {
  return (await db.rows(GIVE_BACK_ALL, [dueAt])).length;
}
