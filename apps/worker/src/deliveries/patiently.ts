import { setTimeout as delay } from 'node:timers/promises';

const PAUSES_MS = [50, 100, 250, 500, 1_000];

/** What PostgreSQL says, or does not say, while it restarts, fails over, or breaks a deadlock. */
const PASSING = /^(08|57P|53|40001|40P01|55P03|25006)/;

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

function isPassing(error: unknown): boolean {
  const { code, message = '' } = error as { code?: unknown; message?: string };
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return PASSING.test(code);
  // Without a state it is the connection that failed: refused, reset, ended in between, or not had in time.
  return typeof code === 'string' || /connection|timeout|terminated|closed|ended/i.test(message);
}
