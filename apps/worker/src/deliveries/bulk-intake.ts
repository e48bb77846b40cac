import type { BullWorker } from '#libs/webhooks';
import type { Slots } from './slots.js';

const LOOK_MS = 100;

/**
 * Takes jobs of the bulk only as there is room for what is in them. BullMQ counts jobs, and we count deliveries: so its
 * concurrency is always what it has, and one more while more is wanted. It looks at that when a job begins or ends.
 */
export class BulkIntake {
  private jobs = 0;
  private readonly timer = setInterval(() => this.look(), LOOK_MS).unref();

  constructor(
    private readonly worker: BullWorker,
    private readonly slots: Slots,
  ) {}

  began(): void {
    this.jobs += 1;
    this.say();
  }

  ended(): void {
    this.jobs -= 1;
    this.say();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private say(): void {
    this.worker.concurrency = Math.max(1, this.jobs + (this.slots.wantsBulk ? 1 : 0));
  }

  /** While all of its jobs wait for a slow one, nothing makes BullMQ look: it must be called. */
  private look(): void {
    const isHeldBack = this.worker.concurrency <= this.jobs;
    if (!isHeldBack || !this.slots.wantsBulk) return;
    this.say();
    void this.worker.pause(true).then(() => this.worker.resume());
  }
}
