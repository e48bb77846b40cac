import { setTimeout as pause } from 'node:timers/promises';
import { describeExit, type RunningProgram } from './program.js';
import { decideRestart } from './restart-policy.js';
import type { ProcessRegistry } from './process-registry.js';
import { UserFacingError, printProgress } from './terminal.js';

export interface Restartable {
  /** Another one after each restart. */
  readonly running: RunningProgram;
  restart(): Promise<void>;
}

/** Restarts a process that ends by itself. Rejects when it keeps failing, and otherwise never settles. */
export async function keepRunning(thing: Restartable, processes: ProcessRegistry): Promise<never> {
  for (let failures = 0; ;) {
    const since = Date.now();
    const { name, log } = thing.running.program;
    const exit = await thing.running.exited;
    if (processes.closed) return neverSettles();
    const next = decideRestart(failures, Date.now() - since);
    if (next === 'give up') throw new UserFacingError(`${name} keeps failing: it ${describeExit(exit)}. See ${log}.`);
    printProgress(`${name} ${describeExit(exit)}; starting it again in ${next.restartInMs / 1000} s (log: ${log})`);
    failures = next.quickFailures;
    await pause(next.restartInMs);
    if (processes.closed) return neverSettles();
    await thing.restart();
  }
}

function neverSettles(): Promise<never> {
  return new Promise(() => undefined);
}
