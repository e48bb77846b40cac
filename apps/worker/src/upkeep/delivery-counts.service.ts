import { Clock, Database, later } from '#libs/database';
import { noteBacklog, sweepCounts } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../durations.js';
import { type TaskReport, inBatches } from './task.js';

const BATCH = 2_000;

/** The pages show seven days. */
const COUNTS_KEPT_MS = 8 * DAY_MS;

/** What is counted by the hour and not by those who deliver. */
@Injectable()
export class DeliveryCountsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async noteBacklog(): Promise<TaskReport> {
    return { accounts: await noteBacklog(this.database.system(), this.clock.now()) };
  }

  async deleteOld(): Promise<TaskReport> {
    const before = later(this.clock.now(), -COUNTS_KEPT_MS);
    return { hours: await inBatches(() => sweepCounts(this.database.system(), before, BATCH)) };
  }
}
