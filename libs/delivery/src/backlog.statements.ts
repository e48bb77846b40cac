import { type SystemConnection, rangeOf, systemStatement, timeOfUuid } from '#libs/database';
import { RELAYED } from './ledger/claim.statements.js';
import { LEASE_MS } from './ledger/lease.statements.js';

/**
 * Hops through an index, so a long backlog costs nothing. The first table of a `with recursive`; its last row is null.
 */
export const OWED_LANES = `lane as (
     (select webhook_id from owed_deliveries order by webhook_id limit 1)
     union all
     select (select o.webhook_id from owed_deliveries o where o.webhook_id > l.webhook_id order by o.webhook_id limit 1)
     from lane l where l.webhook_id is not null
   )`;

const MAX_COUNTED_DUE = 50_000;
const MAX_COUNTED_UNRELAYED = 10_000;
const MAX_WEBHOOKS = 5_000;

const frontOfOutbox = (limit: number): string =>
  `((select event_id, webhook_ids from outbox where express order by event_id limit ${limit})
    union all (select event_id, webhook_ids from outbox where ${RELAYED} order by event_id limit ${limit}))`;

/** The relay soon passes events of paused webhooks. */
const MAX_OLDEST_EVENTS = 50;

/** Running attempts renew each second. An older lease belongs to a queued delivery. */
const RENEWED_WITHIN_MS = 3_000;

const isOpen = (webhook: string): string =>
  `${webhook}.state = 'active' and coalesce(${webhook}.retry_after_until <= $1, true) and coalesce(${webhook}.slow_until <= $1, true)`;

/**
 * Reads only the front of each webhook and of the outbox. A queued row has the end of its lease in place of its due time. Its
 * age counts from the lease, or from the history once the lease is too old for a running attempt.
 */
const READ_DUE = systemStatement(
  'backlog_due',
  'Workers are scaled by what is due in all accounts together',
  `with recursive ${OWED_LANES}, page as materialized (
     select webhook_id from lane where webhook_id is not null limit ${MAX_WEBHOOKS}
   ), open as materialized (
     select p.webhook_id, w.retry_after_until from page p cross join lateral (
       select retry_after_until from webhooks w where w.id = p.webhook_id and ${isOpen('w')} limit 1) w
   ), unqueued as (
     select o.due_at from open s cross join lateral (
       select due_at from owed_deliveries o where o.webhook_id = s.webhook_id and not o.queued and o.due_at <= $1
       order by o.due_at limit 1) o
   ), queued as (
     select case when o.due_at > $3 then o.due_at - $2::int * interval '1 millisecond'
       else greatest(d.next_attempt_at, s.retry_after_until) end as due_at
     from open s cross join lateral (
       select delivery_id, due_at from owed_deliveries o where o.webhook_id = s.webhook_id and o.queued
       order by o.due_at limit 1
     ) o left join lateral (select next_attempt_at from deliveries d where d.id = o.delivery_id limit 1) d on o.due_at <= $3
   ), in_outbox as (
     select f.event_id from ${frontOfOutbox(MAX_OLDEST_EVENTS)} f
     where exists (select from unnest(f.webhook_ids) as u(id) cross join lateral (
       select from webhooks w where w.id = u.id and ${isOpen('w')} limit 1) w)
     order by f.event_id limit 1
   ), counted as (
     select from open s cross join lateral (
       (select from owed_deliveries o where o.webhook_id = s.webhook_id and not o.queued and o.due_at <= $1 limit ${MAX_COUNTED_DUE})
       union all
       (select from owed_deliveries o where o.webhook_id = s.webhook_id and o.queued limit ${MAX_COUNTED_DUE})
     ) o limit ${MAX_COUNTED_DUE}
   ), wanted as (
     select u.id from (select webhook_ids from outbox limit ${MAX_COUNTED_UNRELAYED}) o cross join lateral unnest(o.webhook_ids) as u(id)
     limit ${MAX_COUNTED_UNRELAYED}
   )
   select (select min(due_at) from (select due_at from unqueued union all select due_at from queued) due) as "oldestDueAt",
     (select event_id from in_outbox) as "oldestEvent",
     (select count(*)::int from counted) + (
       select count(*)::int from wanted u cross join lateral (
         select from webhooks w where w.id = u.id and ${isOpen('w')} limit 1) w
     ) as due`,
);

interface DueRow {
  readonly oldestDueAt: Date | null;
  readonly oldestEvent: string | null;
  readonly due: number;
}

export interface DueDeliveries {
  readonly due: number;
  readonly oldestDueSeconds: number;
}

export async function readDue(db: SystemConnection, now: Date): Promise<DueDeliveries> {
  const notRenewedSince = new Date(now.getTime() + LEASE_MS - RENEWED_WITHIN_MS);
  const { oldestDueAt, oldestEvent, due } = (await db.row<DueRow>(READ_DUE, [now, LEASE_MS, notRenewedSince]))!;
  const times = [oldestDueAt, oldestEvent === null ? null : timeOfUuid(oldestEvent)];
  const ages = times.map((at) => (at === null ? 0 : (now.getTime() - at.getTime()) / 1000));
  return { due, oldestDueSeconds: Math.max(0, ...ages) };
}

const MAX_OF_A_WEBHOOK = 10_000;

const SECONDS_OF_OLDEST = `('x' || substr(replace(oldest::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0`;

const NOTE_BACKLOG = systemStatement(
  'upkeep_note_backlog',
  'What is owed is looked at in every account, each for its own page',
  `with recursive ${OWED_LANES}, page as materialized (
     select webhook_id from lane where webhook_id is not null limit ${MAX_WEBHOOKS}
   ), owed as materialized (
     select o.account_id, o.delivery_id from page p cross join lateral (
       select account_id, delivery_id from owed_deliveries
       where ${rangeOf('webhook_id', 'p.webhook_id')} order by webhook_id, queued, due_at limit ${MAX_OF_A_WEBHOOK}) o
   ), account as (
     select account_id, count(*) as owed, min(delivery_id::text)::uuid as oldest from owed group by account_id
   )
   insert into backlog_hours as b (account_id, hour, owed, oldest_seconds)
   select account_id, date_trunc('hour', $1::timestamptz, 'UTC'), owed,
     greatest(0, extract(epoch from $1::timestamptz) - ${SECONDS_OF_OLDEST})
   from account order by account_id
   on conflict (account_id, hour) do update
     set owed = greatest(b.owed, excluded.owed), oldest_seconds = greatest(b.oldest_seconds, excluded.oldest_seconds)
   returning 1`,
);

export async function noteBacklog(db: SystemConnection, now: Date): Promise<number> {
  return (await db.rows(NOTE_BACKLOG, [now])).length;
}

const REASON = 'The operator watches what is owed in all accounts together';

const MAX_COUNTED_OWED = 50_000;

/** Joins by key: without hashes, worker sessions would compare every row with every other. */
const READ = systemStatement(
  'backlog_read',
  REASON,
  `with counted as (
     select case when o.queued then 'queued' when coalesce(w.state = 'disabled', true) then 'ended' when w.state = 'paused' then 'paused'
       when w.retry_after_until > $1 then 'retry_after' when o.due_at > $1 then 'waiting' when w.slow_until > $1 then 'slow' else 'due' end as word
     from (select webhook_id, queued, due_at from owed_deliveries limit $2) o
       left join lateral (select * from webhooks where id = o.webhook_id limit 1) w on true
   )
   select (select coalesce(jsonb_object_agg(word, count), '{}') from (select word, count(*) from counted group by word) c) as owed,
     (select delivery_id from owed_deliveries order by delivery_id limit 1) as "oldestOwed",
     (select event_id from ${frontOfOutbox(1)} f order by event_id limit 1) as "oldestUnrelayed",
     (select count(*)::int from (select from outbox limit $2) o) as unrelayed`,
);

/** `ended`: its webhook was disabled or deleted; upkeep will cancel it. */
export const OWED_STATUSES = ['due', 'queued', 'waiting', 'paused', 'retry_after', 'slow', 'ended'] as const;
export type OwedStatus = (typeof OWED_STATUSES)[number];

interface BacklogRow {
  readonly owed: Partial<Record<OwedStatus, number>>;
  readonly oldestOwed: string | null;
  readonly oldestUnrelayed: string | null;
  readonly unrelayed: number;
}

export const readBacklog = async (db: SystemConnection, now: Date): Promise<BacklogRow> =>
  (await db.row<BacklogRow>(READ, [now, MAX_COUNTED_OWED]))!;
