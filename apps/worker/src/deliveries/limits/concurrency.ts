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
  /** How long our own steps take, without the receivers. Null when there were none. */
  readonly stepMs: number | null;
  /** Whether express and bulk both came lately. */
  readonly isMixed: boolean;
  readonly max: number;
}

/**
 * How many bulk deliveries to work on at once. While receivers are the bottleneck, up to `max`. When this process or
 * PostgreSQL is, more of them only wait for each other, and new ones wait behind them. A burst alone may fill the machine;
 * beside express it must leave room.
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
