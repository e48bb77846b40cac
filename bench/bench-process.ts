import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PROCESS_FLAGS } from '../apps/launcher/src/load-program.js';

export interface BenchProcessOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Folder for the CPU profile that the process writes when it ends. */
  readonly profileTo?: string | undefined;
  readonly input?: string;
}

/**
 * Runs a part of the benchmark in its own process, so that the measurement does not share an event loop with the
 * measured code.
 */
export class BenchProcess {
  private constructor(readonly process: ChildProcess) {}

  /** `file` is relative to dist. Every part gets the flags of the product's processes, so that results compare. */
  static start(
    file: string,
    { environment = {}, args = [], input, profileTo }: BenchProcessOptions = {},
  ): BenchProcess {
    const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
    const profiling = profileTo === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileTo}`];
    const child = spawn(process.execPath, [...PROCESS_FLAGS, ...profiling, path, ...args], {
      env: { ...process.env, ...environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(input);
    // A process whose output is not read stops when the pipe is full.
    child.stdout.resume();
    return new BenchProcess(child);
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Returns the next output line that is JSON with this field. */
  async nextJsonWith<T>(field: string): Promise<T> {
    try {
      for await (const line of createInterface({ input: this.process.stdout! }))
        if (line.startsWith('{') && field in (JSON.parse(line) as object)) return JSON.parse(line) as T;
    } finally {
      this.process.stdout!.resume();
    }
    throw new Error(`A part of the benchmark ended (${this.process.exitCode}) before it printed its ${field}.`);
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await ended;
  }
}
