import {
  BUSY_STEP_BESIDE_EXPRESS_MS,
  BUSY_STEP_MS,
  CONCURRENCY_FACTORS,
  MIN_CONCURRENCY,
  MIN_CONCURRENCY_BESIDE_EXPRESS,
} from './limits.js';

export interface ConcurrencyInput {
  readonly current: number;
  readonly inFlight: number;
  /** How long our own steps take, apart from the receivers; null when there were none. */
  readonly stepMs: number | null;
  /** Whether express and bulk are both on their way. */
  readonly isMixed: boolean;
  readonly max: number;
}

/**
 * How many deliveries are worth having in hand. While receivers are what is waited for, up to `most`. When it is this
 * process or its database, more in hand only wait for each other: about the same number gets done each second, and
 * what comes fresh waits behind all of them. A burst alone may fill the machine; beside others it leaves them air.
 */
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
