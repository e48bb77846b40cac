import type { BullWorker } from '#libs/webhooks';
import { JOB_INTAKE_CHECK_MS } from './limits.js';

/**
 * Lets BullMQ have one job more than those that are being done, while more is wanted. It counts jobs, where we count
 * deliveries. And before it begins the first, it fetches as many as it may have: in a steady stream that is a long
 * time, as there always is another. It looks at its concurrency when a job begins or ends.
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

  /** While all of its jobs wait for a slow one, nothing makes BullMQ look: it must be called. */
  private wakeIfHeldBack(): void {
    const isHeldBack = this.worker.concurrency <= this.jobs;
    if (!isHeldBack || !this.wantsMore(this.jobs)) return;
    this.updateConcurrency();
    void this.worker.pause(true).then(() => this.worker.resume());
  }
}
