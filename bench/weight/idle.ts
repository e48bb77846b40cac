import { setTimeout as wait } from 'node:timers/promises';
import { COMMITS_SETTLE_MS, type Counters, type Weight } from './counters.js';

/** Per second, while nothing happens. */
export async function idleWeight(counters: Counters, seconds: number): Promise<Weight> {
  await wait(COMMITS_SETTLE_MS);
  const before = await counters.read();
  await wait(seconds * 1000);
  return divided(await counters.since(before), seconds);
}

export const divided = (weight: Weight, by: number): Weight =>
  Object.fromEntries(
    Object.entries(weight).map(([name, value]: [string, number]) => [name, value / by]),
  ) as unknown as Weight;
