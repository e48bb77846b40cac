import { PACER_GROUP_SIZE } from './limits.js';

/** Lets so many begin in a second, in groups. */
export class BulkPacer {
  private readonly everyMs: number;
  private left = 0;
  private nextAt = 0;

  constructor(perSecond: number) {
    this.everyMs = (PACER_GROUP_SIZE / perSecond) * 1000;
  }

  /** Zero: it may begin, and is counted. Else for how many milliseconds none may. */
  acquire(now: number): number {
    if (this.left === 0 && now < this.nextAt) return this.nextAt - now;
    if (this.left === 0) this.startGroup(now);
    this.left -= 1;
    return 0;
  }

  /** Who comes late to a group, as timers do, is not late for the next. */
  private startGroup(now: number): void {
    this.left = PACER_GROUP_SIZE;
    this.nextAt = Math.max(this.nextAt + this.everyMs, now);
  }
}
