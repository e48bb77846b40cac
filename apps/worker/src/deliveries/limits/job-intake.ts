import type { BullWorker } from '#libs/webhooks';
import { JOB_INTAKE_CHECK_MS } from './limits.js';

/**
 * Lets BullMQ fetch one job more than are running, while more deliveries are wanted. BullMQ counts jobs, not deliveries.
 * With a high concurrency it would fetch that many jobs before it starts the first, which takes long in a steady stream.
 * It reads its concurrency only when a job starts or ends.
 */
export class JobIntake {
  private jobs = 0;
  private readonly timer = setInterval(() => this.wakeIfHeldBack(), JOB_INTAKE_CHECK_MS).unref();

  constructor(
    private readonly worker: BullWorker,
    private readonly wantsMore: (jobs: number) => boolean,
  ) {}

  async run(job: () => Promise<void>): Promise<void> {
    this.jobs += 1;
    this.updateConcurrency();
    await job();
    this.jobs -= 1;
    this.updateConcurrency();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private updateConcurrency(): void {
    this.worker.concurrency = Math.max(1, this.jobs + (this.wantsMore(this.jobs) ? 1 : 0));
  }

  /** While all jobs still run, BullMQ does not read its concurrency. Pausing and resuming makes it. */
  private wakeIfHeldBack(): void {
    const isHeldBack = this.worker.concurrency <= this.jobs;
    if (!isHeldBack || !this.wantsMore(this.jobs)) return;
    this.updateConcurrency();
    void this.worker.pause(true).then(() => this.worker.resume());
  }
}
