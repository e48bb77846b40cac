import { setTimeout as pause } from 'node:timers/promises';
import { describeExit, type ExitStatus } from './program.js';
import { decideRestart } from './restart-policy.js';
import type { ProcessRegistry } from './process-registry.js';
import { UserFacingError, printProgress } from './terminal.js';

export interface Restartable {
  readonly name: string;
  readonly log: string | undefined;
  readonly exited: Promise<ExitStatus>;
  restart(): Promise<void>;
}

/** Restarts a process that ends by itself. Rejects when it keeps failing, and otherwise never settles. */
export async function keepRunning(thing: Restartable, processes: ProcessRegistry): Promise<never> {
  for (let failures = 0; ;) {
    const since = Date.now();
    const exit = await thing.exited;
    if (processes.closed) return neverSettles();
    const next = decideRestart(failures, Date.now() - since);
    if (next === 'give up')
      throw new UserFacingError(`${thing.name} keeps failing: it ${describeExit(exit)}. See ${thing.log}.`);
    printProgress(
      `${thing.name} ${describeExit(exit)}; starting it again in ${next.restartInMs / 1000} s (log: ${thing.log})`,
    );
    failures = next.quickFailures;
    await pause(next.restartInMs);
    if (processes.closed) return neverSettles();
    await thing.restart();
  }
}

function neverSettles(): Promise<never> {
  return new Promise(() => undefined);
}
