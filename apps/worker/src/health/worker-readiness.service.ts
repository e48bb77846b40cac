import { setTimeout as delay } from 'node:timers/promises';
import { DATABASE_IS_UNMIGRATED, Database, hasPendingMigrations } from '#libs/database';
import { DeliveryQueue } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { WorkPermitService } from '../deliveries/queue/work-permit.service.js';
import { WarmUpService } from '../warm-up.service.js';

const READY_WITHIN_MS = 2_000;

/** Without its queue, or with a wrong clock, a worker delivers nothing. */
@Injectable()
export class WorkerReadinessService {
  constructor(
    private readonly database: Database,
    private readonly queue: DeliveryQueue,
    private readonly warmUp: WarmUpService,
    private readonly permit: WorkPermitService,
  ) {}

  async read() {
    const [database, queue] = await Promise.all([succeeds(this.requireMigrations()), succeeds(this.requireQueue())]);
    const checks = { database, queue, clock: this.permit.isGiven, warming: this.warmUp.isWarming };
    const isReady = database && queue && checks.clock && !checks.warming;
    return { isReady, checks, queue: this.queue.backendName };
  }

  private async requireQueue(): Promise<void> {
    await Promise.all([this.queue.size(), this.queue.requireWrites()]);
  }

  private async requireMigrations(): Promise<void> {
    if (await hasPendingMigrations(this.database.dataSource)) throw new Error(DATABASE_IS_UNMIGRATED);
  }
}

/** Orchestrators wait only seconds. */
async function succeeds(question: Promise<unknown>): Promise<boolean> {
  const answered = new AbortController();
  const late = delay(READY_WITHIN_MS, false, { ref: false, signal: answered.signal });
  try {
    return await Promise.race([question.then(() => true), late]);
  } catch {
    return false;
  } finally {
    answered.abort();
  }
}
