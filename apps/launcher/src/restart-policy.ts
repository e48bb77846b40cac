/** The waits between quick failures. After one failure more, the launcher gives up. */
const DELAYS_MS = [500, 1_000, 2_000, 4_000];
const HEALTHY_AFTER_MS = 30_000;

export type RestartDecision = { restartInMs: number; quickFailures: number } | 'give up';

/** A process that ran for a while starts with a clean record. One that keeps failing at once will not recover. */
export function decideRestart(quickFailures: number, livedMs: number): RestartDecision {
  const count = livedMs >= HEALTHY_AFTER_MS ? 0 : quickFailures;
  const restartInMs = DELAYS_MS[count];
  return restartInMs === undefined ? 'give up' : { restartInMs, quickFailures: count + 1 };
}
