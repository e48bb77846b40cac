import { later } from '#libs/database';
import type { SendResult } from '#libs/mail';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.js';

const GIVE_UP_AFTER_MS = DAY_MS;

export interface TriedMail {
  /** Including the one that just ended. */
  readonly tries: number;
  readonly createdAt: Date;
}

/**
 * When a mail is sent again, or null for never. Only a refused mail is: any other may have arrived, and nobody gets a
 * mail twice. The first pause is a minute, and each is twice as long as the one before, up to an hour.
 */
export function retryMailAt(result: SendResult, { tries, createdAt }: TriedMail, now: Date): Date | null {
  const isTooOld = now.getTime() - createdAt.getTime() > GIVE_UP_AFTER_MS;
  if (result !== 'refused' || isTooOld) return null;
  return later(now, Math.min(HOUR_MS, MINUTE_MS * 2 ** (tries - 1)));
}
