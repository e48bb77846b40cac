import { setTimeout as pause } from 'node:timers/promises';
import { describeExit, type Exit } from './program.js';
import { afterExit } from './restart-policy.js';
import type { Roster } from './roster.js';
import { Refusal, say } from './say.js';

export interface Restartable {
  readonly name: string;
  readonly log: string | undefined;
  readonly exited: Promise<Exit>;
  restart(): Promise<void>;
}

/** Restarts what ends by itself. Rejects once that has become pointless, and otherwise never settles. */
export async function keepRunning(thing: Restartable, roster: Roster): Promise<never> {
  for (let failures = 0; ;) {
    const since = Date.now();
    const exit = await thing.exited;
    if (roster.closed) return never();
    const next = afterExit(failures, Date.now() - since);
    if (next === 'give up')
      throw new Refusal(`${thing.name} keeps failing: it ${describeExit(exit)}. See ${thing.log}.`);
    say(`${thing.name} ${describeExit(exit)}; starting it again in ${next.restartInMs / 1000} s (log: ${thing.log})`);
    failures = next.quickFailures;
    await pause(next.restartInMs);
    if (roster.closed) return never();
    await thing.restart();
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
