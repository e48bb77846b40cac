import { availableParallelism } from 'node:os';

/**
 * What one process begins of the bulk in a second while express comes too. It bounds what others wait for processor
 * time, here and in PostgreSQL, whatever receivers take: a bound on those in hand would starve the bulk of slow ones.
 */
export const BULK_A_SECOND_BESIDE_EXPRESS = 250 * availableParallelism();

/** So many at once, after a moment in which none was begun. */
const AT_ONCE = 8;

/** Lets so many begin in a second, spread evenly. */
export class Pace {
  private allowance = AT_ONCE;
  private at = 0;

  constructor(private readonly perSecond: number) {}

  /** Zero: it may begin, and is counted. Else for how many milliseconds none may. */
  begin(now: number): number {
    this.allowance = Math.min(AT_ONCE, this.allowance + (Math.max(0, now - this.at) / 1000) * this.perSecond);
    this.at = now;
    if (this.allowance < 1) return ((1 - this.allowance) / this.perSecond) * 1000;
    this.allowance -= 1;
    return 0;
  }
}
