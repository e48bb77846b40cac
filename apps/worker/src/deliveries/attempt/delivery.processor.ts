import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type DeliveryJob, DeliveryQueue, type QueueKind } from '#libs/delivery';
import { Inject, Injectable } from '@nestjs/common';
import { LiveWorkersService } from '../../live-workers.service.js';
import { DeliverySlotLimiter } from '../limits/delivery-slot-limiter.js';
import { CHECK_MS } from '../limits/receiver-limiters.service.js';
import { AttemptRunner } from './attempt-runner.js';

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

interface Intake {
  readonly perform: (job: DeliveryJob) => Promise<void>;
  readonly wantsMore: (jobs: number) => boolean;
}

/**
 * BullMQ fetches as many jobs as its concurrency before it starts the first, so it gets one more than are running. It
 * reads its concurrency only when a job starts or ends; while all run, pausing and resuming makes it. Source:
 * https://github.com/taskforcesh/bullmq/blob/v6.7.0/src/classes/worker.ts (mainLoop)
 */
export class JobIntake {
  readonly worker: ReturnType<DeliveryQueue['startWorker']>;
  private jobs = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    queue: Pick<DeliveryQueue, 'startWorker'>,
    kind: QueueKind,
    private readonly intake: Intake,
  ) {
    this.worker = queue.startWorker(kind, (job) => this.run(job));
  }

  private async run(job: DeliveryJob): Promise<void> {
    this.jobs += 1;
    this.timer ??= setInterval(() => this.wakeIfHeldBack(), CHECK_MS).unref();
    this.updateConcurrency();
    await this.intake.perform(job);
    this.jobs -= 1;
    this.updateConcurrency();
    if (this.jobs > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private updateConcurrency(): void {
    this.worker.concurrency = Math.max(1, this.jobs + (this.intake.wantsMore(this.jobs) ? 1 : 0));
  }

  private wakeIfHeldBack(): void {
    const isHeldBack = this.worker.concurrency <= this.jobs;
    if (!isHeldBack || !this.intake.wantsMore(this.jobs)) return;
    this.updateConcurrency();
    void this.worker.pause(true).then(() => this.worker.resume());
  }
}
