/** What loading and recording a delivery takes while there is room, with the time it waits for company in a batch. */
const OWN_MS = 30;
const FEWEST = 32;

export interface Load {
  readonly current: number;
  readonly inHand: number;
  /** What a delivery spends with us rather than with its receiver; null when there was none. */
  readonly ownMs: number | null;
  readonly most: number;
}

/**
 * How many deliveries are worth having in hand. While receivers are what is waited for, up to `most`. When it is this
 * process or its database, more in hand only wait for each other: the same number gets done each second, and what
 * comes fresh and urgent would wait behind all of them.
 */
export function nextConcurrency({ current, inHand, ownMs, most }: Load): number {
  if (ownMs !== null && ownMs > OWN_MS) return Math.max(Math.min(FEWEST, most), Math.floor(current * 0.85));
  return inHand >= current * 0.9 ? Math.min(most, Math.ceil(current * 1.1)) : current;
}
