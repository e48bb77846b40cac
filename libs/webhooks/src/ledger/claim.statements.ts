import { type SystemConnection, systemStatement } from '#libs/database';

export interface ClaimLimits {
  readonly accounts: number;
  readonly events: number;
  readonly eventsPerAccount: number;
  readonly webhooks: number;
  /** Queued even without room for bulk. */
  readonly expressPerAccount: number;
}

export interface ClaimedDelivery {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly eventId: string;
}

export interface ClaimedAttempt extends ClaimedDelivery {
  readonly webhookId: string;
  readonly kind: string;
  readonly url: string;
  readonly publiclySigned: boolean;
  readonly secretIds: string | null;
  readonly sequence: string;
  readonly test: boolean;
  readonly payload: string;
  readonly requestId: string | null;
  readonly eventCreatedAt: Date;
}

export interface ClaimSummary {
  readonly accounts: number;
  readonly lastAccount: string | null;
  readonly events: number;
  readonly deliveries: number;
  readonly oldestEventId: string | null;
}

interface ClaimedEvents extends ClaimSummary {
  readonly claimed: readonly ClaimedDelivery[];
  readonly attempts: readonly ClaimedAttempt[];
}

/** Larger rounds load rows more cheaply in a batch. */
const MAX_INLINE_DELIVERIES = 25;

/** Larger events are read at the attempt, once for all webhooks. */
const MAX_INLINE_BYTES = 16_384;

/**
 * Turns events into owed deliveries in one commit. Accounts take turns, each with at most `eventsPerAccount` of its
 * oldest events, so an account with 100,000 delays no other. A round serves either the bursting accounts or all others,
 * so the others never wait for a burst. Without room for bulk, events of bursting accounts stay in the outbox, which
 * costs least. SKIP LOCKED keeps workers from taking the same event. The outbox rows are deleted by ctid, which cannot
 * change under the lock; by key it would read a long outbox whole. The insert leases deliveries that can be queued at
 * once, which saves an update.
 */
const CLAIM_TEXT = `with recursive account as (
     (select account_id from outbox where account_id > $1 order by account_id limit 1)
     union all
     select (select o.account_id from outbox o where o.account_id > a.account_id order by o.account_id limit 1)
     from account a where a.account_id is not null
   ), found as materialized (
     select account_id from account where account_id is not null and (account_id = any($9::uuid[])) = $10 limit $2
   ), turn as materialized (
     select account_id, least(case when $10 then least($3::int, $8::int) else $3::int end / count(*) over (), $11::int) as share
     from found
   ), taken as materialized (
     select o.* from turn cross join lateral (
       select ctid as place, account_id, event_id, webhook_ids from outbox where outbox.account_id = turn.account_id
       order by event_id limit turn.share for update skip locked
     ) o
   ), batch as materialized (
     select place, account_id, event_id, webhook_ids from (
       select t.*, sum(cardinality(webhook_ids)) over (order by event_id) - cardinality(webhook_ids) as before from taken t
     ) t where before < $4
   ), gone as (
     delete from outbox where ctid = any(array(select place from batch))
   ), wanted as materialized (
     select new_uuid_at($5) as id, b.account_id, b.event_id, w.id as webhook_id, w.event as kind, w.url, w.publicly_signed, w.state = 'disabled' as late,
       w.state = 'active' and coalesce(w.paced_until <= $5, true) and coalesce(w.slow_until <= $5, true) as open
     from batch b cross join lateral unnest(b.webhook_ids) as u(webhook_id)
       cross join lateral (select * from webhooks where id = u.webhook_id limit 1) w
   ), placed as materialized (
     select r.*, open and (in_account <= $7 or in_all <= $8) as direct from (
       select w.*, row_number() over (partition by open, account_id order by event_id) as in_account,
         row_number() over (partition by open order by event_id) as in_all from wanted w
     ) r
   ), history as (
     insert into deliveries (id, account_id, webhook_id, event_id, kind, state, next_attempt_at, finished_at, created_at)
     select id, account_id, webhook_id, event_id, kind, case when late then 'cancelled' else 'pending' end,
       case when not late then $5 end, case when late then $5 end, $5 from placed
   ), debt as (
     insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, feed_at)
     select id, account_id, webhook_id, event_id, 0, direct, case when direct then $6::timestamptz else $5 end
     from placed where not late
   ), summary as (
     select (select count(*)::int from turn) as "accounts", (select account_id from turn order by 1 desc limit 1) as "lastAccount",
       (select count(*)::int from batch) as "events", (select count(*)::int from placed) as "deliveries",
       (select event_id from batch order by event_id limit 1) as "oldestEventId"
   )
   select s.*, p.id as "deliveryId", p.account_id as "accountId", p.event_id as "eventId"`;

const FOR_EVERY_ACCOUNT = 'The relay serves every account; each row it makes carries the account of its event';

const CLAIM_BURSTING = systemStatement(
  'relay_claim_heavy',
  FOR_EVERY_ACCOUNT,
  `${CLAIM_TEXT} from summary s left join placed p on p.direct`,
);

/** The rows of first attempts save a round trip. */
const CLAIM = systemStatement(
  'relay_claim',
  FOR_EVERY_ACCOUNT,
  `${CLAIM_TEXT}, attempt.*
   from summary s left join placed p on p.direct left join lateral (
     select p.webhook_id as "webhookId", p.kind, p.url, p.publicly_signed as "publiclySigned",
       (select string_agg(x.id::text, ' ' order by x.created_at desc) from webhook_secrets x
        where x.webhook_id = p.webhook_id and (x.expires_at is null or x.expires_at > $5)) as "secretIds",
       e.sequence, e.test, e.payload, e.request_id as "requestId", e.created_at as "eventCreatedAt"
     from events e
     where e.id = p.event_id and s.deliveries <= ${MAX_INLINE_DELIVERIES} and octet_length(e.payload) <= ${MAX_INLINE_BYTES} limit 1
   ) attempt on true`,
);

export interface ClaimRequest {
  readonly afterAccount: string;
  readonly limits: ClaimLimits;
  readonly now: Date;
  readonly leasedUntil: Date;
  readonly bulkCapacity: number;
  readonly burstingAccounts: readonly string[];
  /** Serves only `burstingAccounts`, or all others. */
  readonly isForBursting: boolean;
}

export async function claimEvents(db: SystemConnection, claim: ClaimRequest): Promise<ClaimedEvents> {
  const { afterAccount, now, leasedUntil, bulkCapacity, burstingAccounts, isForBursting } = claim;
  const { accounts, events, eventsPerAccount, webhooks, expressPerAccount } = claim.limits;
  const page = [afterAccount, accounts, events, webhooks, now, leasedUntil];
  const values = [...page, expressPerAccount, bulkCapacity, burstingAccounts, isForBursting, eventsPerAccount];
  const rows = await db.rows<ClaimSummary & ClaimedAttempt>(isForBursting ? CLAIM_BURSTING : CLAIM, values);
  // Without deliveries there is only a summary row.
  const claimed = rows.filter(({ deliveryId }) => deliveryId !== null);
  const attempts = isForBursting ? [] : claimed.filter(({ payload }) => payload !== null);
  return { ...rows[0]!, claimed, attempts };
}
