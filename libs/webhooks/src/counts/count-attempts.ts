import { type SystemConnection, systemStatement } from '#libs/database';

/** Rows of one webhook and hour. Who records for the same webhook over another connection mostly writes another. */
const SHARDS = 4;

/**
 * Adds what `settled` and `postponed` hold of a batch to the counts of the hour, so that what was recorded twice is counted
 * once. In the order of the webhooks, because whoever else counts does so too.
 */
export const COUNT_ATTEMPTS = `insert into delivery_counts as c
       (webhook_id, hour, shard, account_id, delivered, retried, given_up, duration_ms, longest_ms)
     select webhook_id, date_trunc('hour', $1::timestamptz, 'UTC'), pg_backend_pid() % ${SHARDS}, account_id,
       count(*) filter (where state = 'delivered'), count(*) filter (where state = 'pending'),
       count(*) filter (where state in ('exhausted', 'cancelled')), sum(duration_ms), max(duration_ms)
     from (select * from settled union all select * from postponed) r
     group by webhook_id, account_id order by webhook_id
     on conflict (webhook_id, hour, shard) do update set delivered = c.delivered + excluded.delivered,
       retried = c.retried + excluded.retried, given_up = c.given_up + excluded.given_up,
       duration_ms = c.duration_ms + excluded.duration_ms, longest_ms = greatest(c.longest_ms, excluded.longest_ms)`;

const REASON = 'What is kept is decided by its age alone, in every account';

const sweepOf = (table: string) =>
  `delete from ${table} where ctid = any(array(select ctid from ${table} where hour < $1 limit $2 for update skip locked))
   returning 1`;

const SWEEP_COUNTS = systemStatement('upkeep_delivery_counts', REASON, sweepOf('delivery_counts'));
const SWEEP_BACKLOG = systemStatement('upkeep_backlog_hours', REASON, sweepOf('backlog_hours'));

/** Hours that no page shows any more. Says how many rows that were. */
export async function sweepCounts(db: SystemConnection, before: Date, limit: number): Promise<number> {
  const counts = await db.rows(SWEEP_COUNTS, [before, limit]);
  const backlog = await db.rows(SWEEP_BACKLOG, [before, limit]);
  return counts.length + backlog.length;
}
