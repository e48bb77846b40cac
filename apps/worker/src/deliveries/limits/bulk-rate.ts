import {
  BUSY_STEP_BESIDE_EXPRESS_MS,
  BUSY_STEP_MS,
  MIN_CONCURRENCY,
  MIN_CONCURRENCY_BESIDE_EXPRESS,
} from './limits.js';

/** See nextConcurrency. */
const CONCURRENCY_FACTORS = { inUse: 0.9, shrink: 0.85, growSlowly: 1.1, grow: 1.3 };

/** Loading and recording cost per batch. Above the minimum concurrency, a group would not fit. */
const PACER_GROUP_SIZE = MIN_CONCURRENCY_BESIDE_EXPRESS;

export interface ConcurrencyInput {
  readonly current: number;
  readonly inFlight: number;
  /** Null without measurements. */
  readonly stepMs: number | null;
  readonly isMixed: boolean;
  readonly max: number;
}

/** Grows while receivers are the bottleneck, and shrinks while this process or PostgreSQL is. */
export function nextConcurrency({ current, inFlight, stepMs, isMixed, max }: ConcurrencyInput): number {
  const [busyMs, fewest] = isMixed
    ? [BUSY_STEP_BESIDE_EXPRESS_MS, MIN_CONCURRENCY_BESIDE_EXPRESS]
    : [BUSY_STEP_MS, MIN_CONCURRENCY];
  if (stepMs !== null && stepMs > busyMs)
    return Math.max(Math.min(fewest, max), Math.floor(current * CONCURRENCY_FACTORS.shrink));
  if (inFlight < current * CONCURRENCY_FACTORS.inUse) return current;
  const growth = stepMs !== null && stepMs > busyMs / 2 ? CONCURRENCY_FACTORS.growSlowly : CONCURRENCY_FACTORS.grow;
  return Math.min(max, Math.ceil(current * growth));
}

export class BulkPacer {
  private readonly everyMs: number;
  private left = 0;
  private nextAt = 0;

  constructor(perSecond: number) {
    this.everyMs = (PACER_GROUP_SIZE / perSecond) * 1000;
  }

  /** Returns the milliseconds to wait. At 0 the delivery is counted. */
  acquire(now: number): number {
    if (this.left === 0 && now < this.nextAt) return this.nextAt - now;
    if (this.left === 0) this.startGroup(now);
    this.left -= 1;
    return 0;
  }

  /** A late timer does not delay the next group. */
  private startGroup(now: number): void {
    this.left = PACER_GROUP_SIZE;
    this.nextAt = Math.max(this.nextAt + this.everyMs, now);
  }
}
