import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const INTERVAL_MS = 200;
/** Time for unused memory to be released. */
const REST_MS = 5_000;

/** Resident memory of a process, on Linux. */
export class ProcessMemory {
  private peak: number;
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly pid: number,
    private readonly before: number,
  ) {
    this.peak = before;
    this.timer = setInterval(() => (this.peak = Math.max(this.peak, residentMiB(pid))), INTERVAL_MS);
  }

  static of(pid: number): ProcessMemory {
    return new ProcessMemory(pid, residentMiB(pid));
  }

  async end(): Promise<{ before: number; peak: number; after: number } | null> {
    clearInterval(this.timer);
    if (this.before === 0) return null;
    await setTimeout(REST_MS);
    return { before: this.before, peak: this.peak, after: residentMiB(this.pid) };
  }
}

function residentMiB(pid: number): number {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
