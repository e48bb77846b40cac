import { Clock, Database, smallestIdAt } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { cancelOwedBefore, sweepOutbox, sweepReplays } from '#libs/delivery';
import { Inject, Injectable } from '@nestjs/common';
import { isCovered, partitionSpan, weeksAhead } from './partition-weeks.js';
import { PartitionsService } from './partitions.service.js';
import { PARTITIONED, type PartitionedTable } from './partitions.statements.js';
import { DAY_MS } from '../durations.js';
import { type TaskReport, inBatches } from './upkeep.service.js';

/** Without workers for longer, rows go into the default partition. */
const WEEKS_AHEAD = 3;

const BATCH = 2_000;

type RetentionCounts = Record<'partitions_created' | 'partitions_dropped' | 'postponed' | 'rows', number>;

/** A lock that is not available leaves the work to the next run. */
@Injectable()
export class RetentionService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly partitions: PartitionsService,
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

  /** Otherwise deliveries would be owed without their event. */
  private async deleteBefore(before: number): Promise<TaskReport> {
    const id = smallestIdAt(before);
    const db = this.database.system();
    return {
      outbox: await inBatches(() => sweepOutbox(db, id, BATCH)),
      owed_cancelled: await inBatches(() => cancelOwedBefore(db, id, { now: this.clock.now(), limit: BATCH })),
      replays: await inBatches(() => sweepReplays(db, id, BATCH)),
    };
  }

  private async create(table: PartitionedTable, kept: RetentionCounts): Promise<void> {
    const now = this.clock.now();
    const existing = await this.partitions.list(table);
    for (const week of weeksAhead(now, WEEKS_AHEAD)) {
      if (isCovered(week, existing)) continue;
      const rows = await this.partitions.readDefaultRows(table, week);
      const span = partitionSpan(week, rows, now);
      if (!span) continue;
      const isDone = await this.partitions.create(table, span, rows);
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
}
