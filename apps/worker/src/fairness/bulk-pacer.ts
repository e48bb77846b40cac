import { availableParallelism } from 'node:os';

/**
 * What one process begins of the bulk in a second while express comes too. It bounds what others wait for processor
 * time, here and in PostgreSQL, whatever receivers take: a bound on those in hand would starve the bulk of slow ones.
 */
export const BULK_PER_SECOND_BESIDE_EXPRESS = 400 * availableParallelism();

/** Loading and recording cost by the batch: of those that begin one by one, each would be a batch of its own. */
const PACER_GROUP_SIZE = 16;

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
