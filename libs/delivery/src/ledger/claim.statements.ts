import { type SystemConnection, later, systemStatement } from '#libs/database';

export interface ClaimedDelivery {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly eventId: string;
}

export interface ClaimSummary {
  readonly accounts: number;
  readonly lastAccount: string | null;
  readonly events: number;
  readonly deliveries: number;
  readonly oldestEventId: string | null;
}

interface ClaimedEvents extends ClaimSummary {
  /** Leased for the queue. */
  readonly claimed: readonly ClaimedDelivery[];
}

/** The condition of an index by event. Every row has webhooks. */
export const RELAYED = 'not express and cardinality(webhook_ids) > 0';

/**
 * Turns events into owed deliveries in one commit. Accounts take turns, so an account with 100,000 events delays no
 * other. SKIP LOCKED keeps workers from taking the same event. Deliveries that the queue has room for are leased by
 * the insert, which saves an update.
 */
const CLAIM = systemStatement(
  'relay_claim',
  'The relay serves every account; each row it makes carries the account of its event',
  `with recursive account as (
     (select account_id from outbox where not express and account_id > $1 order by account_id limit 1)
     union all
     select (select o.account_id from outbox o where not o.express and o.account_id > a.account_id order by o.account_id limit 1)
     from account a where a.account_id is not null
   ), turn as materialized (
     select account_id, greatest(1, $2::int / count(*) over ()) as share
     from (select account_id from account where account_id is not null and account_id <> all($5::uuid[]) limit $2) a
   ), taken as materialized (
     select o.* from turn cross join lateral (
       select ctid, account_id, event_id, webhook_ids from outbox
       where not express and outbox.account_id = turn.account_id
       order by account_id, event_id limit turn.share for update skip locked
     ) o
   ), batch as materialized (
     select * from (
       select t.*, sum(cardinality(webhook_ids)) over (order by event_id) - cardinality(webhook_ids) as before from taken t
     ) t where before < $2
   ), gone as (
     delete from outbox where ctid = any(array(select ctid from batch))
   ), wanted as materialized (
     select new_uuid_at($3) as id, b.account_id, b.event_id, w.id as webhook_id, w.event as kind, w.state = 'disabled' as late,
       w.state = 'active' and coalesce(w.retry_after_until <= $3, true) and coalesce(w.slow_until <= $3, true) as open
     from batch b cross join lateral unnest(b.webhook_ids) as u(webhook_id)
       cross join lateral (select * from webhooks where id = u.webhook_id limit 1) w
   ), placed as materialized (
     select r.*, open and row_number() over (partition by open order by in_account, event_id) <= $2 as direct from (
       select w.*, row_number() over (partition by open, account_id order by event_id) as in_account from wanted w
     ) r
   ), history as (
     insert into deliveries (id, account_id, webhook_id, event_id, kind, state, next_attempt_at, finished_at, created_at)
     select id, account_id, webhook_id, event_id, kind, case when late then 'cancelled' else 'pending' end,
       case when not late then $3 end, case when late then $3 end, $3 from placed
   ), debt as (
     insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, due_at)
     select id, account_id, webhook_id, event_id, 0, direct, case when direct then $4::timestamptz else $3 end
     from placed where not late
   ), summary as (
     select (select count(*)::int from turn) as "accounts", (select account_id from turn order by 1 desc limit 1) as "lastAccount",
       (select count(*)::int from batch) as "events", (select count(*)::int from placed) as "deliveries",
       (select event_id from batch order by event_id limit 1) as "oldestEventId"
   )
   select s.*, p.id as "deliveryId", p.account_id as "accountId", p.event_id as "eventId"
   from summary s left join placed p on p.direct`,
);

export interface ClaimRequest {
  readonly afterAccount: string;
  readonly exceptAccounts: readonly string[];
  /** Deliveries that the queue has room for; also bounds the accounts and events of a round. */
  readonly room: number;
  readonly now: Date;
  readonly leasedUntil: Date;
}

export async function claimEvents(db: SystemConnection, claim: ClaimRequest): Promise<ClaimedEvents> {
  const { afterAccount, exceptAccounts, room, now, leasedUntil } = claim;
  const rows = await db.rows<ClaimSummary & ClaimedDelivery>(CLAIM, [
    afterAccount,
    room,
    now,
    leasedUntil,
    exceptAccounts,
  ]);
  // Without deliveries there is only a summary row.
  return { ...rows[0]!, claimed: rows.filter(({ deliveryId }) => deliveryId !== null) };
}

/** A hand-over takes less. If longer, an event whose job is missing waits longer. */
export const LATE_AFTER_MS = 250;

const SELECT_LATE = systemStatement(
  'outbox_late',
  'The relay looks after the events of every account',
  'select event_id as id from outbox where express and event_id > $3 and event_id < uuid_at($1) order by event_id limit $2',
);

/** Express events that should be with a worker, oldest first. */
export async function readLateEvents(
  db: SystemConnection,
  { now, after, limit }: { readonly now: Date; readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(SELECT_LATE, [later(now, -LATE_AFTER_MS), limit, after]);
  return rows.map(({ id }) => id);
}

const LEAVE_TO_RELAY = systemStatement(
  'outbox_leave_to_relay',
  'The relay looks after the events of every account',
  'update outbox set express = false where express and event_id = any($1::uuid[])',
);

export async function leaveToRelay(db: SystemConnection, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length > 0) await db.rows(LEAVE_TO_RELAY, [eventIds]);
}
