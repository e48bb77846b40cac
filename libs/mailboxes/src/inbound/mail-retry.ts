import { isTransientError } from '#libs/database';
import { DomainError } from '#libs/entities';
import { backoffMs } from '#libs/pacing';
import type { ClaimedArrival } from './arrival.statements.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const BACKOFF = { firstMs: 2 * SECOND_MS, maxMs: 60 * MINUTE_MS };

export class Interrupted extends Error {}

interface NextTry {
  readonly pauseMs: number;
  /** Transient errors do not count as attempts. */
  readonly isTry: boolean;
}

/** The longer a mail has waited for something unavailable, the less often it is retried. */
export function nextTry(
  { tries, createdAt }: Pick<ClaimedArrival, 'tries' | 'createdAt'>,
  error: unknown,
  now: Date,
): NextTry {
  if (error instanceof Interrupted) return { pauseMs: 0, isTry: false };
  const passes = isTransientError(error) || (error instanceof DomainError && error.kind === 'unavailable');
  if (!passes) return { pauseMs: backoffMs(tries, BACKOFF), isTry: true };
  const waitedMs = now.getTime() - createdAt.getTime();
  return { pauseMs: Math.min(5 * MINUTE_MS, Math.max(2 * SECOND_MS, waitedMs / 4)), isTry: false };
}
