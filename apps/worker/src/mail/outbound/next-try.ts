import { later } from '#libs/database';
import { backoffMs } from '#libs/pacing';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.js';

const GIVE_UP_AFTER_MS = 3 * DAY_MS;
const BACKOFF = { firstMs: MINUTE_MS, maxMs: 4 * HOUR_MS };

export interface TriedMail {
  /** Includes the one that just ended. */
  readonly tries: number;
  readonly queuedAt: Date;
}

/** Null for never. The first pause is a minute; pauses double up to four hours, for three days. */
export function nextTryAt({ tries, queuedAt }: TriedMail, now: Date): Date | null {
  const at = later(now, backoffMs(tries, BACKOFF));
  return at.getTime() - queuedAt.getTime() > GIVE_UP_AFTER_MS ? null : at;
}
