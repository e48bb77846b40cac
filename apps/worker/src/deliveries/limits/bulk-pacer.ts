import { PACER_GROUP_SIZE } from './limits.js';

/** Limits how many deliveries start in a second, and starts them in groups. */
export class BulkPacer {
  private readonly everyMs: number;
  private left = 0;
  private nextAt = 0;

  constructor(perSecond: number) {
    this.everyMs = (PACER_GROUP_SIZE / perSecond) * 1000;
  }

  /** Zero when the delivery may start, which counts it. Otherwise the milliseconds until the next one may. */
  acquire(now: number): number {
    if (this.left === 0 && now < this.nextAt) return this.nextAt - now;
    if (this.left === 0) this.startGroup(now);
    this.left -= 1;
    return 0;
  }

  /** A timer that fires late does not delay the next group. */
  private startGroup(now: number): void {
    this.left = PACER_GROUP_SIZE;
    this.nextAt = Math.max(this.nextAt + this.everyMs, now);
  }
}
