import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { WORKER_FLAGS } from '../apps/launcher/src/worker-flags.js';

interface BenchProcessOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** A folder in which it leaves a profile of its processor time when it ends. */
  readonly profileTo?: string | undefined;
  /** What it finds on its standard input. */
  readonly input?: string;
}

/** A part of the benchmark in a process of its own, so that what is measured shares no event loop with it. */
export class BenchProcess {
  private constructor(readonly process: ChildProcess) {}

  /** `file` as built, relative to dist. */
  static start(
    file: string,
    { environment = {}, args = [], input, profileTo }: BenchProcessOptions = {},
  ): BenchProcess {
    const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
    const profiling = profileTo === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileTo}`];
    const child = spawn(process.execPath, [...WORKER_FLAGS, ...profiling, path, ...args], {
      env: { ...process.env, ...environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(input);
    return new BenchProcess(child);
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** The next line it prints that is JSON with the wanted field: how the parts tell results. */
  async nextJsonWith<T>(field: string): Promise<T> {
    for await (const line of createInterface({ input: this.process.stdout! })) {
      if (line.startsWith('{') && field in (JSON.parse(line) as object)) return JSON.parse(line) as T;
    }
    throw new Error(`A part of the benchmark ended (${this.process.exitCode}) before it told its ${field}.`);
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await ended;
  }
}
