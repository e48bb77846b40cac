import { Clock, Database, systemStatement } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { PARTITIONED, type PartitionedTable, Partitions } from '../partitions/partitions.js';
import { smallestIdAt, isCovered, partitionSpan, weeksAhead } from '../partitions/weeks.js';
import { DAY_MS, HOUR_MS } from '../../durations.js';
import { type TaskReport, type Task, inBatches } from '../task.js';

/** So long can all workers be away before rows go into the default partition. */
const WEEKS_AHEAD = 3;

const BATCH = 2_000;

const REASON = 'What is kept is decided by its age alone, in every account';

/** What a paused webhook held, or a replay asked for, ends with its event. */
const CANCEL_EXPIRED_OWED = systemStatement(
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
const DELETE_OLD_OUTBOX = systemStatement(
  'retention_outbox',
  REASON,
  `with gone as (
     delete from outbox where ctid = any(array(select ctid from outbox where event_id < $1 limit $2 for update skip locked))
     returning 1
   ) select count(*)::int as count from gone`,
);

const DELETE_OLD_REPLAYS = systemStatement(
  'retention_replays',
  REASON,
  `with gone as (
     delete from replays where ctid = any(array(select ctid from replays where id < $1 and finished_at is not null limit $2))
     returning 1
   ) select count(*)::int as count from gone`,
);

type RetentionCounts = Record<'partitions_created' | 'partitions_dropped' | 'postponed' | 'rows', number>;

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

  async run(): Promise<TaskReport> {
    const kept: RetentionCounts = { partitions_created: 0, partitions_dropped: 0, postponed: 0, rows: 0 };
    const before = this.clock.now().getTime() - this.settings.RETENTION_DAYS * DAY_MS;
    const owed = await this.deleteBefore(before);
    for (const table of Object.keys(PARTITIONED) as PartitionedTable[]) {
      await this.partitions.tidy(table);
      await this.create(table, kept);
      await this.drop(table, before, kept);
    }
    return { ...kept, ...owed };
  }

  /** First, so that nothing is owed whose event is gone. */
  private async deleteBefore(before: number): Promise<TaskReport> {
    const id = smallestIdAt(before);
    return {
      outbox: await inBatches(() => this.count(DELETE_OLD_OUTBOX, [id, BATCH])),
      owed_cancelled: await inBatches(() => this.count(CANCEL_EXPIRED_OWED, [id, this.clock.now(), BATCH])),
      replays: await inBatches(() => this.count(DELETE_OLD_REPLAYS, [id, BATCH])),
    };
  }

  private async create(table: PartitionedTable, kept: RetentionCounts): Promise<void> {
    const now = this.clock.now();
    const existing = await this.partitions.list(table);
    for (const week of weeksAhead(now, WEEKS_AHEAD)) {
      if (isCovered(week, existing)) continue;
      const inDefault = await this.partitions.inDefault(table, week);
      const span = partitionSpan(week, inDefault, now);
      if (!span) continue;
      const isDone = await this.partitions.create(table, span, inDefault);
      kept[isDone ? 'partitions_created' : 'postponed'] += 1;
    }
  }

  private async drop(table: PartitionedTable, before: number, kept: RetentionCounts): Promise<void> {
    for (const partition of await this.partitions.list(table)) {
      if (partition.to > before) continue;
      const isDone = await this.partitions.drop(table, partition);
      kept[isDone ? 'partitions_dropped' : 'postponed'] += 1;
    }
    kept.rows += await inBatches(() => this.partitions.purgeDefault(table, before, BATCH));
  }

  private async count(statement: typeof CANCEL_EXPIRED_OWED, values: unknown[]): Promise<number> {
    return (await this.database.system().row<{ count: number }>(statement, values))?.count ?? 0;
  }
}
