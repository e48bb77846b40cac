import type { BullWorker } from '#libs/webhooks';
import type { InHand } from '../queue/in-hand.js';

/** However many receivers hang, memory stays bounded: this many requests may be out beyond the worker's concurrency. */
const LENT_AT_MOST = 2_000;

/** Lets the worker take a job more for each request that is out for longer than a prompt receiver takes. */
export class SlowSlots {
  private worker: BullWorker | undefined;

  constructor(
    private readonly concurrency: number,
    private readonly inHand: InHand,
  ) {}

  lendTo(worker: BullWorker): void {
    this.worker = worker;
  }

  takeBack(): void {
    this.worker = undefined;
  }

  setSlow(slow: number): void {
    const worker = this.worker;
    if (!worker) return;
    const wasFull = this.inHand.count >= worker.concurrency;
    worker.concurrency = this.concurrency + Math.min(slow, LENT_AT_MOST);
    // BullMQ looks at its concurrency when a job ends; while all of them hang, it must be called.
    if (wasFull && this.inHand.count < worker.concurrency) void worker.pause(true).then(() => this.worker?.resume());
  }
}
