import { Clock, Database, systemStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { DAY_MS, HOUR_MS } from '../../durations.js';
import { type TaskReport, type Task, inBatches } from '../task.js';

const BATCH = 2_000;

/** Who invited, archived or revoked whom is asked about long after the events, which are for receivers, are gone. */
const RETENTION_MS = 365 * DAY_MS;

const DELETE_OLD_ACTIVITIES = systemStatement(
  'upkeep_activities',
  'What is kept is decided by its age alone, in every account',
  `with gone as (
     delete from activities where id = any(array(
       select id from activities where ticket_id is null and id < uuid_at($1) order by id limit $2))
     returning 1
   ) select count(*)::int as count from gone`,
);

/** What happened to no ticket, after a year. What happened to a ticket goes with the ticket. */
@Injectable()
export class ActivitiesTask implements Task {
  readonly name = 'activities';
  readonly everyMs = HOUR_MS;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<TaskReport> {
    const before = new Date(this.clock.now().getTime() - RETENTION_MS);
    return { activities: await inBatches(() => this.deleteBatch(before)) };
  }

  private async deleteBatch(before: Date): Promise<number> {
    return (await this.database.system().row<{ count: number }>(DELETE_OLD_ACTIVITIES, [before, BATCH]))?.count ?? 0;
  }
}
