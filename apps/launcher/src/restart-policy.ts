/** How often in a row something may fail quickly, and how long we wait in between. */
const DELAYS_MS = [500, 1_000, 2_000, 4_000];
const HEALTHY_AFTER_MS = 30_000;

export type RestartDecision = { restartInMs: number; quickFailures: number } | 'give up';

/** What ran for a while had a bad moment; what fails at once again and again will not get better by itself. */
export function decideRestart(quickFailures: number, livedMs: number): RestartDecision {
  const count = livedMs >= HEALTHY_AFTER_MS ? 0 : quickFailures;
  const restartInMs = DELAYS_MS[count];
  return restartInMs === undefined ? 'give up' : { restartInMs, quickFailures: count + 1 };
}
