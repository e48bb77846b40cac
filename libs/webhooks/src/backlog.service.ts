import { Clock, Database, systemStatement, timeOfUuid } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { type DueDeliveries, readDue } from './due-deliveries.js';
import { WORKER_GONE_AFTER_MS } from './worker-heartbeats.js';

const REASON = 'The operator watches what is owed in all accounts together';

/** Rows that are counted one by one; of a longer backlog it is enough to know that it is long. */
const MAX_COUNTED_OWED = 50_000;

const MAX_ACCOUNTS = 5_000;

/**
 * Accounts are found by hopping through an index, and of each only the front is read: looking costs
 * about the same whatever the backlog. Tables are joined by their keys, never with what the statement itself has
 * gathered: the sessions of workers plan without hashes, and would compare everything with everything.
 */
const READ = systemStatement(
  'backlog_read',
  REASON,
  `with recursive counted as (
     select case when o.queued then 'queued' when coalesce(w.state = 'disabled', true) then 'ended' when w.state = 'paused' then 'paused'
       when w.paced_until > $1 then 'paced' when o.feed_at > $1 then 'waiting' when w.slow_until > $1 then 'slow' else 'due' end as word
     from (select webhook_id, queued, feed_at from owed_deliveries limit $2) o
       left join lateral (select * from webhooks where id = o.webhook_id limit 1) w on true
   ), account as (
     (select account_id from outbox order by account_id limit 1)
     union all
     select (select o.account_id from outbox o where o.account_id > a.account_id order by o.account_id limit 1)
     from account a where a.account_id is not null
   ), unrelayed as materialized (
     select (select event_id from outbox o where o.account_id = a.account_id order by event_id limit 1) as event_id
     from account a where a.account_id is not null limit $3
   )
   select (select coalesce(jsonb_object_agg(word, count), '{}') from (select word, count(*) from counted group by word) c) as owed,
     (select delivery_id from owed_deliveries order by delivery_id limit 1) as "oldestOwed",
     (select event_id from unrelayed order by event_id limit 1) as "oldestUnrelayed",
     (select count(*)::int from (select from outbox limit $2) o) as unrelayed`,
);

const WORKERS = systemStatement(
  'backlog_workers',
  REASON,
  `select host, pid, version, started_at as "startedAt", seen_at as "seenAt", skew_ms as "skewMs" from worker_heartbeats
   where seen_at > clock_timestamp() - $1::int * interval '1 millisecond' order by started_at`,
);

/** Why an owed delivery is where it is. `ended`: its webhook was disabled or deleted, and it is about to be cancelled. */
const OWED_STATUSES = ['due', 'queued', 'waiting', 'paused', 'paced', 'slow', 'ended'] as const;
export type OwedStatus = (typeof OWED_STATUSES)[number];

export interface BacklogState extends DueDeliveries {
  readonly owed: Readonly<Record<OwedStatus, number>>;
  /** Events that are not deliveries yet. */
  readonly unrelayed: number;
  readonly oldestOwedSeconds: number;
  readonly oldestUnrelayedSeconds: number;
}

export interface LiveWorker {
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** How far its clock is ahead of PostgreSQL’s. Null until it has looked. */
  readonly skewMs: number | null;
}

interface Row {
  readonly owed: Partial<Record<OwedStatus, number>>;
  readonly oldestOwed: string | null;
  readonly oldestUnrelayed: string | null;
  readonly unrelayed: number;
}

/** What is still to be done, and who is there to do it. */
@Injectable()
export class BacklogService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The owed counts may be some seconds old; the due counts are current. */
  async read(): Promise<BacklogState> {
    const now = this.clock.now();
    const owed = this.database.system().row<Row>(READ, [now, MAX_COUNTED_OWED, MAX_ACCOUNTS]);
    const [due, row] = await Promise.all([this.due(), owed.then((found) => found!)]);
    const since = (at: Date | null) => (at === null ? 0 : Math.max(0, now.getTime() - at.getTime()) / 1000);
    const ageOf = (id: string | null) => since(id === null ? null : timeOfUuid(id));
    return {
      ...due,
      owed: Object.fromEntries(OWED_STATUSES.map((word) => [word, row.owed[word] ?? 0])) as BacklogState['owed'],
      unrelayed: row.unrelayed,
      oldestOwedSeconds: ageOf(row.oldestOwed),
      oldestUnrelayedSeconds: ageOf(row.oldestUnrelayed),
    };
  }

  /** Deliveries that could be attempted now, and only wait for a worker. */
  due(): Promise<DueDeliveries> {
    return readDue(this.database.system(), this.clock.now());
  }

  /** Workers whose heartbeat is recent. */
  workers(): Promise<LiveWorker[]> {
    return this.database.system().rows<LiveWorker>(WORKERS, [WORKER_GONE_AFTER_MS]);
  }
}
