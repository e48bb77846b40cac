interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Failures in a row, from 1. */
export const backoffMs = (failures: number, { firstMs, maxMs }: Backoff): number =>
  Math.min(maxMs, firstMs * 2 ** (failures - 1));
