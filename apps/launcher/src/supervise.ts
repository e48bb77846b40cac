import fs from 'node:fs';
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

/** A process that ran for a while starts with a clean record. */
export function decideRestart(quickFailures: number, livedMs: number) {
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

const neverSettles = (): Promise<never> => new Promise(() => undefined);

const LOOK_EVERY_MS = 5_000;
const MIB = 1024 * 1024;
/** PostgreSQL keeps a few 16 MiB files of its write-ahead log open. */
const FULL_BYTES = 64 * MIB;

/**
 * Says when the disk of the data becomes full, and when there is room again. The product continues to serve reads. Rejects when
 * the data is taken away, and otherwise never settles.
 */
export function watchDisk(folder: string, say: (sentence: string) => void = printProgress): Promise<never> {
  let wasFull = false;
  const look = (): void => {
    const left = freeBytes(folder);
    const isFull = left < FULL_BYTES;
    if (isFull && !wasFull)
      say(
        `disk full: ${Math.floor(left / MIB)} MiB left for ${folder}; changes are refused with 503 until there is space`,
      );
    if (!isFull && wasFull) say(`the disk of ${folder} has space again`);
    wasFull = isFull;
  };
  look();
  return new Promise((_never, reject) => {
    const timer = setInterval(() => {
      try {
        look();
      } catch (error) {
        clearInterval(timer);
        reject(error);
      }
    }, LOOK_EVERY_MS).unref();
  });
}

export const isDiskFull = (folder: string): boolean => freeBytes(folder) < FULL_BYTES;

function freeBytes(folder: string): number {
  if (!fs.existsSync(folder))
    throw new UserFacingError(`${folder} is gone, and with it the data: stopping. Put it back, and start again.`);
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize;
}
