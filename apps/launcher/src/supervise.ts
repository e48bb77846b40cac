import { setTimeout as pause } from 'node:timers/promises';
import { describeExit, type RunningProgram } from './program.js';
import type { ProcessRegistry } from './process-registry.js';
import { UserFacingError, printProgress } from './terminal.js';

export interface Restartable {
  readonly running: RunningProgram;
  restart(): Promise<void>;
}

interface Circumstances {
  readonly processes: Pick<ProcessRegistry, 'closed'>;
  readonly isDiskFull: () => boolean;
}

const DISK_CHECK_MS = 1_000;

/** Restarts a process that ends by itself. Rejects when it keeps failing, and otherwise never settles. */
export async function keepRunning(thing: Restartable, circumstances: Circumstances): Promise<never> {
  const { processes } = circumstances;
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
    await restart(thing, circumstances);
  }
}

/** Waits between quick failures. After the last one, the launcher gives up. */
const DELAYS_MS = [500, 1_000, 2_000, 4_000];
const HEALTHY_AFTER_MS = 30_000;

export type RestartDecision = { restartInMs: number; quickFailures: number } | 'give up';

/** A process that ran for a while starts with a clean record. */
export function decideRestart(quickFailures: number, livedMs: number): RestartDecision {
  const count = livedMs >= HEALTHY_AFTER_MS ? 0 : quickFailures;
  const restartInMs = DELAYS_MS[count];
  return restartInMs === undefined ? 'give up' : { restartInMs, quickFailures: count + 1 };
}

/** PostgreSQL cannot start without room for its write-ahead log. The other processes run without it. */
async function restart(thing: Restartable, { processes, isDiskFull }: Circumstances): Promise<void> {
  for (;;) {
    const wasFull = isDiskFull();
    try {
      return await thing.restart();
    } catch (error) {
      if (!wasFull && !isDiskFull()) throw error;
    }
    printProgress(`${thing.running.program.name} cannot start on a full disk; it is started when there is room`);
    while (isDiskFull() && !processes.closed) await pause(DISK_CHECK_MS);
    if (processes.closed) return neverSettles();
  }
}

function neverSettles(): Promise<never> {
  return new Promise(() => undefined);
}
