import { columns, systemStatement } from '#libs/database';
import { Replay } from '#libs/entities';

const REASON = 'The worker carries out the replays of every account; each row is bound to the account of its replay';

/** The replay whose turn it is, out of other workers’ hands until the end of the transaction, and what its webhook is owed. */
export const TAKE_REPLAY = systemStatement(
  'replay_take',
  REASON,
  `select ${columns(Replay, 'r')}, coalesce(w.state, 'deleted') as "webhookState", q.count + n.count as due
   from replays r left join webhooks w on w.id = r.webhook_id
     cross join lateral (select count(*)::int from (
       select from owed_deliveries o where o.webhook_id = r.webhook_id and o.queued limit $2) x) q
     cross join lateral (select count(*)::int from (
       select from owed_deliveries o where o.webhook_id = r.webhook_id and not o.queued and o.feed_at <= $1 limit $2) x) n
   where r.finished_at is null and r.next_step_at <= $1
   order by r.next_step_at limit 1 for no key update of r skip locked`,
);

/** Not while somebody changes or deletes it: they take the webhook first and then its replays, and must not meet us half way. */
export const LOCK_REPLAYED_WEBHOOK = systemStatement(
  'replay_keep_webhook',
  REASON,
  'select from webhooks where account_id = $1 and id = $2 for share skip locked',
);

const IN_RANGE = `near as materialized (
     select d.id, d.state from deliveries d
     where d.account_id = $1 and d.webhook_id = $2 and d.id >= uuid_at($3) and d.id < uuid_at($4)
       and ($5::uuid is null or d.id > $5) order by d.id limit $6
   )`;

export const COUNT_RANGE = systemStatement(
  'replay_count',
  REASON,
  `with ${IN_RANGE}
   select count(*)::int as "lookedAt", (count(*) filter (where state = any($7)))::int as wanted,
     (select id from near order by id desc limit 1) as last from near`,
);

/**
 * Owed anew, from the front of the stretch and no more than there is room for. The debt comes before the history, as it
 * does where attempts are recorded. What was purged meanwhile cannot be sent any more.
 */
export const OWE_RANGE = systemStatement(
  'replay_owe',
  REASON,
  `with ${IN_RANGE}, chosen as materialized (
     select id from near where state = any($7) order by id limit $8
   ), owed as (
     insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, feed_at)
     select d.id, d.account_id, d.webhook_id, d.event_id, d.attempts, false, $9
     from chosen join deliveries d on d.id = chosen.id join events e on e.id = d.event_id order by d.id
     on conflict do nothing returning delivery_id
   ), again as (
     update deliveries d set state = 'pending', next_attempt_at = $9, finished_at = null
     from owed where d.id = owed.delivery_id
   )
   select (select count(*)::int from near) as "lookedAt", (select count(*)::int from chosen) as wanted,
     (select count(*)::int from owed) as owed, (select id from near order by id desc limit 1) as last,
     (select id from chosen order by id desc limit 1) as "lastWanted"`,
);

export interface CountedRange {
  readonly lookedAt: number;
  readonly wanted: number;
  readonly last: string | null;
}

export interface OwedRange extends CountedRange {
  readonly owed: number;
  readonly lastWanted: string | null;
}
