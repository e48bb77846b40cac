import { type DeliveryJob, DeliveryQueue, type QueueKind } from '#libs/delivery';
import { CHECK_MS } from '../limits/receiver-limiters.service.js';

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
