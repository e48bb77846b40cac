import { setTimeout as delay } from 'node:timers/promises';
import { isStatementTimeout, isTransientError } from '#libs/database';
import { ERROR_PAUSE_MS } from './loop.js';

/** A job waits here while PostgreSQL is away or too slow. */
export async function retryTransient<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransientError(error) && !isStatementTimeout(error)) throw error;
      await delay(ERROR_PAUSE_MS);
    }
  }
}
