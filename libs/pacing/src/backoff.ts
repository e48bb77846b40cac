export interface Backoff {
  /** The wait after the first failure. */
  readonly firstMs: number;
  readonly maxMs: number;
  /** Growth with each further failure; 2 if not given. */
  readonly factor?: number;
}

/** How long to wait after this many failures in a row, counted from 1. */
export const backoffMs = (failures: number, { firstMs, maxMs, factor = 2 }: Backoff): number =>
  Math.min(maxMs, firstMs * factor ** (failures - 1));
