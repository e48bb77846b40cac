interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** Defaults to 2. */
  readonly factor?: number;
}

/** Failures in a row, from 1. */
export const backoffMs = (failures: number, { firstMs, maxMs, factor = 2 }: Backoff): number =>
  Math.min(maxMs, firstMs * factor ** (failures - 1));
