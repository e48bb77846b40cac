import { Clock, Database } from '#libs/database';
import { deleteActivitiesBefore } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { DAY_MS, HOUR_MS } from '../../durations.js';
import { type TaskReport, type Task, inBatches } from '../task.js';

const BATCH = 2_000;

/** People ask who invited or revoked whom long after the events have been deleted. */
const RETENTION_MS = 365 * DAY_MS;

/** Deletes activities that belong to no ticket after a year. Those of a ticket are deleted with the ticket. */
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
