import { Clock, Database } from '#libs/database';
import { deleteActivitiesBefore } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { DAY_MS, HOUR_MS } from '../../durations.js';
import { type TaskReport, type Task, inBatches } from '../task.js';

const BATCH = 2_000;

/** Who invited, archived or revoked whom is asked about long after the events, which are for receivers, are gone. */
const RETENTION_MS = 365 * DAY_MS;

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
    return { activities: await inBatches(() => deleteActivitiesBefore(this.database.system(), before, BATCH)) };
  }
}
