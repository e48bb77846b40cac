import { type SystemConnection, systemStatement } from '#libs/database';

/** Spreads writes, so that connections rarely wait for a row. */
const SHARDS = 4;

/** Every statement that counts is ordered by webhook, so that none deadlocks. */
export const countAttempts = (source: string): string => `insert into delivery_counts as c
       (webhook_id, hour, shard, account_id, delivered, retried, given_up, duration_ms, longest_ms)
     select webhook_id, date_trunc('hour', $1::timestamptz, 'UTC'), pg_backend_pid() % ${SHARDS}, account_id,
       count(*) filter (where state = 'delivered'), count(*) filter (where state = 'pending'),
       count(*) filter (where state in ('exhausted', 'cancelled')), sum(duration_ms), max(duration_ms)
     from (${source}) r
     group by webhook_id, account_id order by webhook_id
     on conflict (webhook_id, hour, shard) do update set delivered = c.delivered + excluded.delivered,
       retried = c.retried + excluded.retried, given_up = c.given_up + excluded.given_up,
       duration_ms = c.duration_ms + excluded.duration_ms, longest_ms = greatest(c.longest_ms, excluded.longest_ms)`;

const REASON = 'What is kept is decided by its age alone, in every account';

const sweepOf = (table: string) =>
  `delete from ${table} where ctid = any(array(select ctid from ${table} where hour < $1 limit $2 for update skip locked))
   returning 1`;

const SWEEP_COUNTS = systemStatement('delivery_counts_sweep', REASON, sweepOf('delivery_counts'));
const SWEEP_BACKLOG = systemStatement('backlog_hours_sweep', REASON, sweepOf('backlog_hours'));

export async function sweepCounts(db: SystemConnection, before: Date, limit: number): Promise<number> {
  const counts = await db.rows(SWEEP_COUNTS, [before, limit]);
  const backlog = await db.rows(SWEEP_BACKLOG, [before, limit]);
  return counts.length + backlog.length;
}
