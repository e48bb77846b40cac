/** What loading or recording takes while there is room, with the time it waits for company in a batch, and then some. */
const BUSY_STEP_MS = 30;
/** The same, where somebody is waiting for something else than the bulk. */
const BUSY_STEP_BESIDE_EXPRESS_MS = 6;
const MIN_CONCURRENCY = 32;
const MIN_CONCURRENCY_BESIDE_EXPRESS = 16;

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
  if (stepMs !== null && stepMs > busyMs) return Math.max(Math.min(fewest, max), Math.floor(current * 0.85));
  if (inFlight < current * 0.9) return current;
  const growth = stepMs !== null && stepMs > busyMs / 2 ? 1.1 : 1.3;
  return Math.min(max, Math.ceil(current * growth));
}
