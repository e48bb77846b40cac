import { setTimeout as delay } from 'node:timers/promises';
import { isTransientError } from '#libs/database';

const RETRY_PAUSES_MS = [50, 100, 250, 500, 1_000];

/**
 * Tries again while the error is one that passes by itself. A job waits here while PostgreSQL is away, so its work is
 * neither lost nor done twice.
 */
export async function retryTransient<T>(work: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (!isTransientError(error)) throw error;
      await delay(RETRY_PAUSES_MS[Math.min(failures, RETRY_PAUSES_MS.length - 1)]);
    }
  }
}
