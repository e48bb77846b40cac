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

interface Heartbeat {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** Null until measured. */
  readonly skewMs: number | null;
}

interface HeartbeatAnswer {
  readonly databaseNow: Date;
  readonly others: number;
  readonly before: number;
}

export async function beat(
  db: SystemConnection,
  { id, host, pid, version, skewMs }: Heartbeat,
  goneAfterMs: number,
): Promise<HeartbeatAnswer> {
  return (await db.row<HeartbeatAnswer>(BEAT, [id, host, pid, version, skewMs, goneAfterMs]))!;
}

const LEAVE = systemStatement('worker_leave', WORKER_REASON, 'delete from worker_heartbeats where id = $1');

export async function leave(db: SystemConnection, id: string): Promise<void> {
  await db.rows(LEAVE, [id]);
}

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
  'metrics_upkeep',
  METRICS_REASON,
  'select name, extract(epoch from finished_at)::float as at from upkeep_tasks where finished_at is not null',
);

/** In Unix seconds. */
export async function readFinishedTasks(db: SystemConnection): Promise<Record<string, number>> {
  const rows = await db.rows<{ name: string; at: number }>(SELECT_FINISHED_TASKS);
  return Object.fromEntries(rows.map(({ name, at }) => [name, at]));
}

const READ_IMAP = systemStatement(
  'metrics_imap',
  METRICS_REASON,
  `select count(*) filter (where paused)::int as paused,
     count(*) filter (where not paused and failing_since is not null)::int as failing,
     count(*) filter (where not paused and failing_since is null and connected_at is not null)::int as connected,
     count(*) filter (where not paused and failing_since is null and connected_at is null)::int as waiting,
     coalesce(max(extract(epoch from clock_timestamp() - coalesce(heard_at, created_at))) filter (where not paused), 0)::float8 as silent
   from imap_accounts`,
);

type ImapState = Readonly<Record<'paused' | 'failing' | 'connected' | 'waiting' | 'silent', number>>;

export const readImapState = async (db: SystemConnection): Promise<ImapState> => (await db.row<ImapState>(READ_IMAP))!;

/** Bounds the cost of a scrape. */
const MAX_MAILS = 50_000;

const READ_MAIL = systemStatement(
  'metrics_mail',
  METRICS_REASON,
  `select arriving.oldest as arriving, leaving.*, held.held
   from (
     select coalesce(max(extract(epoch from clock_timestamp() - created_at)), 0)::float8 as oldest
     from (select created_at from arrivals where state = 'waiting' limit ${MAX_MAILS}) waiting
   ) arriving, (
     select count(*) filter (where not taken)::int as queued,
       coalesce(max(extract(epoch from clock_timestamp() - queued_at)) filter (where not taken), 0)::float8 as leaving,
       count(*) filter (where lease is null and tries = 0)::int as waiting,
       count(*) filter (where lease is null and tries > 0)::int as retrying,
       count(*) filter (where lease is not null)::int as sending
     from (
       (select queued_at, lease, tries, false as taken from outgoing_mails
        where state = 'queued' and handed_over_at is null limit ${MAX_MAILS})
       union all
       (select queued_at, lease, tries, true from outgoing_mails
        where state = 'queued' and handed_over_at is not null limit ${MAX_MAILS})
     ) queued
   ) leaving, (
     select count(*)::int as held from (select from arrivals where state = 'held' limit ${MAX_MAILS}) held
   ) held`,
);

type MailState = Readonly<
  Record<'arriving' | 'held' | 'queued' | 'leaving' | 'waiting' | 'retrying' | 'sending', number>
>;

export const readMailState = async (db: SystemConnection): Promise<MailState> => (await db.row<MailState>(READ_MAIL))!;
