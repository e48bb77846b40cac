import { type SystemConnection, rangeOf, systemStatement } from '#libs/database';
import { OWED_LANES } from '../owed-lanes.js';

/** Of a longer backlog of one webhook it is enough to know that it is long. What is due first is mostly the oldest. */
const MAX_OF_A_WEBHOOK = 10_000;

const MAX_WEBHOOKS = 5_000;

/** A delivery's id begins with the milliseconds at which it was made. */
const SECONDS_OF_OLDEST = `('x' || substr(replace(oldest::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0`;

/** Of each webhook only so many rows are read. */
const NOTE_BACKLOG = systemStatement(
  'upkeep_note_backlog',
  'What is owed is looked at in every account, each for its own page',
  `with recursive ${OWED_LANES}, page as materialized (
     select webhook_id from lane where webhook_id is not null limit ${MAX_WEBHOOKS}
   ), owed as materialized (
     select o.account_id, o.delivery_id from page p cross join lateral (
       select account_id, delivery_id from owed_deliveries
       where ${rangeOf('webhook_id', 'p.webhook_id')} order by webhook_id, queued, feed_at limit ${MAX_OF_A_WEBHOOK}) o
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

/** The highest of each hour is kept. Says of how many accounts. */
export async function noteBacklog(db: SystemConnection, now: Date): Promise<number> {
  return (await db.rows(NOTE_BACKLOG, [now])).length;
}
