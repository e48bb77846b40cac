import { type SystemConnection, systemStatement } from '#libs/database';

const WORKER_REASON = 'Workers serve all accounts';

const BEAT = systemStatement(
  'worker_beat',
  WORKER_REASON,
  `with beat as (
     insert into worker_heartbeats (id, host, pid, version, started_at, seen_at, skew_ms)
     values ($1, $2, $3, $4, clock_timestamp(), clock_timestamp(), $5)
     on conflict (id) do update set seen_at = excluded.seen_at, skew_ms = excluded.skew_ms
   )
   select clock_timestamp() as "databaseNow", count(*)::int as others,
     (count(*) filter (where id < $1))::int as before
   from worker_heartbeats where id <> $1 and seen_at > clock_timestamp() - $6::int * interval '1 millisecond'`,
);

type Heartbeat = [id: string, host: string, pid: number, version: string, skewMs: number | null, goneAfterMs: number];

/** The skew is null until it is measured. */
export const beat = async (db: SystemConnection, ...values: Heartbeat) =>
  (await db.row<{ databaseNow: Date; others: number; before: number }>(BEAT, values))!;

const LEAVE = systemStatement('worker_leave', WORKER_REASON, 'delete from worker_heartbeats where id = $1');

export const leave = (db: SystemConnection, id: string) => db.rows(LEAVE, [id]);

const METRICS_REASON = 'The operator monitors all accounts together';

const COUNT_WEBHOOKS = systemStatement(
  'metrics_webhooks',
  METRICS_REASON,
  'select state, count(*)::int as count from webhooks group by state',
);

export async function countWebhooks(db: SystemConnection): Promise<Record<string, number>> {
  const rows = await db.rows<{ state: string; count: number }>(COUNT_WEBHOOKS);
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

const SELECT_FINISHED_TASKS = systemStatement(
  'metrics_finished_tasks',
  METRICS_REASON,
  'select name, extract(epoch from finished_at)::float as at from upkeep_tasks where finished_at is not null',
);

/** In Unix seconds. */
export async function readFinishedTasks(db: SystemConnection): Promise<Record<string, number>> {
  const rows = await db.rows<{ name: string; at: number }>(SELECT_FINISHED_TASKS);
  return Object.fromEntries(rows.map(({ name, at }) => [name, at]));
}
