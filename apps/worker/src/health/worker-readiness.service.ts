import { Database, hasPendingMigrations } from '#libs/database';
import { waitAtMost } from '#libs/pacing';
import { DeliveryQueue } from '#libs/delivery';
import { Injectable } from '@nestjs/common';
import { LiveWorkersService } from '../live-workers.service.js';
import { WarmUpService } from '../warm-up.service.js';

const READY_WITHIN_MS = 2_000;

/** Without its queue, or with a wrong clock, a worker delivers nothing. */
@Injectable()
export class WorkerReadinessService {
  constructor(
    private readonly database: Database,
    private readonly queue: DeliveryQueue,
    private readonly warmUp: WarmUpService,
    private readonly workers: LiveWorkersService,
  ) {}

  async read() {
    const isMigrated = hasPendingMigrations(this.database.dataSource).then((pending) => !pending);
    const isWritable = Promise.all([this.queue.size(), this.queue.requireWrites()]).then(() => true);
    const [database, queue] = await Promise.all([confirm(isMigrated), confirm(isWritable)]);
    const checks = { database, queue, clock: this.workers.mayWork, warming: this.warmUp.isWarming };
    const isReady = database && queue && checks.clock && !checks.warming;
    return { isReady, checks, queue: this.queue.backendName };
  }
}

/** Orchestrators wait only seconds. */
const confirm = (answer: Promise<boolean>): Promise<boolean> =>
  waitAtMost(READY_WITHIN_MS, answer).then(Boolean, () => false);
