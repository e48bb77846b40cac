import { setTimeout as delay } from 'node:timers/promises';

/** Undefined if the work takes longer. It is not stopped. */
export async function waitAtMost<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([work, delay(ms, undefined, done)]);
  } finally {
    done.abort();
  }
}
