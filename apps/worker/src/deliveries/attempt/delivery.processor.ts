import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { DeliveryQueue, type QueueKind } from '#libs/delivery';
import { Inject, Injectable } from '@nestjs/common';
import { LiveWorkersService } from '../../live-workers.service.js';
import { DeliverySlotLimiter } from '../limits/delivery-slot-limiter.js';
import { AttemptRunner } from './attempt-runner.js';
import { JobIntake } from './job-intake.js';

/** Takes jobs from the queue while the worker may work. */
@Injectable()
export class DeliveryProcessor {
  private intakes: readonly JobIntake[] = [];
  private isStarted = false;
  private isTaking = false;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly runner: AttemptRunner,
    private readonly slots: DeliverySlotLimiter,
    private readonly workers: LiveWorkersService,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  start(): void {
    this.isStarted = true;
    this.takeJobsIfPermitted();
  }

  async stop(): Promise<void> {
    this.isStarted = false;
    await Promise.all(this.intakes.map(({ worker }) => worker.pause(true)));
    const isDone = await this.runner.drain(this.settings.SHUTDOWN_GRACE_MS);
    await Promise.all(this.intakes.map(({ worker }) => worker.close(!isDone)));
  }

  heartbeat(): void {
    this.takeJobsIfPermitted();
    void this.queue.noteWorker();
  }

  private takeJobsIfPermitted(): void {
    const { mayWork } = this.workers;
    if (!this.isStarted || mayWork === this.isTaking) return;
    this.isTaking = mayWork;
    if (this.intakes.length === 0)
      this.intakes = [
        this.take('express', (jobs) => jobs < this.settings.WORKER_CONCURRENCY),
        this.take('bulk', () => this.slots.wantsBulk),
      ];
    else for (const { worker } of this.intakes) void (mayWork ? worker.resume() : worker.pause(true));
  }

  private take(queueKind: QueueKind, wantsMore: (jobs: number) => boolean): JobIntake {
    return new JobIntake(this.queue, queueKind, {
      perform: (job) => this.runner.run(job, queueKind),
      wantsMore: (jobs) => this.workers.mayWork && wantsMore(jobs),
    });
  }
}
