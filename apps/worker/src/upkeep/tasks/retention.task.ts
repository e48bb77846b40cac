import { Clock, Database, systemStatement } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { PARTITIONED, type PartitionedTable, Partitions } from '../partitions/partitions.js';
import { idAt, isCovered, ownSpan, weeksAhead } from '../partitions/weeks.js';
import { DAY_MS, HOUR_MS } from '../../durations.js';
import { type Report, type Task, inParts } from '../task.js';

/** So long can all workers be away before rows go into the default partition. */
const WEEKS_AHEAD = 3;

const BATCH = 2_000;

const REASON = 'What is kept is decided by its age alone, in every account';

/** What a paused webhook held, or a replay asked for, ends with its event. */
const FORGET_OWED = systemStatement(
  'retention_owed',
  REASON,
  `with no_longer_owed as (
     delete from owed_deliveries where delivery_id in (
       select o.delivery_id from owed_deliveries o
       join (select delivery_id from owed_deliveries where event_id < $1 limit $3) part using (delivery_id)
       order by o.delivery_id for update of o)
     returning delivery_id
   ), cancelled as (
     update deliveries d set state = 'cancelled', next_attempt_at = null, finished_at = $2
     from no_longer_owed o where d.id = o.delivery_id and d.state = 'pending'
   )
   select count(*)::int as count from no_longer_owed`,
);

/** There is something here only where no worker has run for as long as events are kept. */
const FORGET_OUTBOX = systemStatement(
  'retention_outbox',
  REASON,
  `with gone as (
     delete from outbox where ctid = any(array(select ctid from outbox where event_id < $1 limit $2 for update skip locked))
     returning 1
   ) select count(*)::int as count from gone`,
);

const FORGET_REPLAYS = systemStatement(
  'retention_replays',
  REASON,
  `with gone as (
     delete from replays where ctid = any(array(select ctid from replays where id < $1 and finished_at is not null limit $2))
     returning 1
   ) select count(*)::int as count from gone`,
);

type Kept = Record<'partitions_created' | 'partitions_dropped' | 'postponed' | 'rows', number>;

/**
 * Makes the partitions of the coming weeks, and drops those whose every row is older than RETENTION_DAYS. Where a lock
 * is not to be had at once it is left for the next time: there are weeks to spare.
 */
@Injectable()
export class RetentionTask implements Task {
  readonly name = 'retention';
  readonly everyMs = HOUR_MS;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly partitions: Partitions,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  async run(): Promise<Report> {
    const kept: Kept = { partitions_created: 0, partitions_dropped: 0, postponed: 0, rows: 0 };
    const before = this.clock.now().getTime() - this.settings.RETENTION_DAYS * DAY_MS;
    const owed = await this.forgetOwed(before);
    for (const table of Object.keys(PARTITIONED) as PartitionedTable[]) {
      await this.partitions.tidy(table);
      await this.create(table, kept);
      await this.drop(table, before, kept);
    }
    return { ...kept, ...owed };
  }

  /** First, so that nothing is owed whose event is gone. */
  private async forgetOwed(before: number): Promise<Report> {
    const id = idAt(before);
    return {
      outbox: await inParts(() => this.count(FORGET_OUTBOX, [id, BATCH])),
      owed_cancelled: await inParts(() => this.count(FORGET_OWED, [id, this.clock.now(), BATCH])),
      replays: await inParts(() => this.count(FORGET_REPLAYS, [id, BATCH])),
    };
  }

  private async create(table: PartitionedTable, kept: Kept): Promise<void> {
    const now = this.clock.now();
    const existing = await this.partitions.list(table);
    for (const week of weeksAhead(now, WEEKS_AHEAD)) {
      if (isCovered(week, existing)) continue;
      const inDefault = await this.partitions.inDefault(table, week);
      const span = ownSpan(week, inDefault, now);
      if (!span) continue;
      const isDone = await this.partitions.create(table, span, inDefault);
      kept[isDone ? 'partitions_created' : 'postponed'] += 1;
    }
  }

  private async drop(table: PartitionedTable, before: number, kept: Kept): Promise<void> {
    for (const partition of await this.partitions.list(table)) {
      if (partition.to > before) continue;
      const isDone = await this.partitions.drop(table, partition);
      kept[isDone ? 'partitions_dropped' : 'postponed'] += 1;
    }
    kept.rows += await inParts(() => this.partitions.purgeDefault(table, before, BATCH));
  }

  private async count(statement: typeof FORGET_OWED, values: unknown[]): Promise<number> {
    return (await this.database.system().row<{ count: number }>(statement, values))?.count ?? 0;
  }
}
