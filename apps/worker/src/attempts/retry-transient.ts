import { setTimeout as delay } from 'node:timers/promises';
import { isPassing } from '#libs/database';

const PAUSES_MS = [50, 100, 250, 500, 1_000];

/**
 * Tries until it works, for as long as what is in the way passes by itself. A job waits here while the database is
 * away; the work it stands for is neither lost nor done twice.
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await delay(PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)]);
    }
  }
}
