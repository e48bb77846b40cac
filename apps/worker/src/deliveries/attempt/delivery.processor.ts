import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type BullWorker, DeliveryQueue, JobIntake, type QueueKind } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { DeliverySlotLimiter } from '../limits/delivery-slot-limiter.js';
import { CHECK_MS } from '../limits/receiver-limiters.service.js';
import { WorkPermitService } from '../queue/work-permit.service.js';
import { AttemptRunner } from './attempt-runner.js';

/** Takes jobs from the queue while the worker may work. */
@Injectable()
export class DeliveryProcessor {
  private readonly workers: BullWorker[] = [];
  private readonly intakes: JobIntake[] = [];

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly runner: AttemptRunner,
    private readonly slots: DeliverySlotLimiter,
    private readonly permit: WorkPermitService,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  start(): void {
    this.permit.onChange(() => this.takeJobsIfPermitted());
    this.takeJobsIfPermitted();
  }

  async stop(): Promise<void> {
    for (const intake of this.intakes) intake.stop();
    await Promise.all(this.workers.map((worker) => worker.pause(true)));
    const isDone = await this.runner.drain(this.settings.SHUTDOWN_GRACE_MS);
    await Promise.all(this.workers.map((worker) => worker.close(!isDone)));
  }

  private takeJobsIfPermitted(): void {
    const { isGiven } = this.permit;
    for (const worker of this.workers) void (isGiven ? worker.resume() : worker.pause(true));
    if (!isGiven || this.workers.length > 0) return;
    this.startQueue('express', (jobs) => this.permit.isGiven && jobs < this.settings.WORKER_CONCURRENCY);
    this.startQueue('bulk', () => this.permit.isGiven && this.slots.wantsBulk);
  }

  private startQueue(queueKind: QueueKind, wantsMore: (jobs: number) => boolean): void {
    const worker = this.queue.startWorker(queueKind, (job) => intake.run(() => this.runner.run(job, queueKind)));
    const intake = new JobIntake(worker, { wantsMore, checkIntervalMs: CHECK_MS });
    this.workers.push(worker);
    this.intakes.push(intake);
  }
}
