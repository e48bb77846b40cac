import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './ports.js';
import { describeExit, lastLines, spawnProgram, type ProgramSpec, type RunningProgram } from './program.js';
import type { ProcessRegistry } from './process-registry.js';
import type { SystemUser } from './system-user.js';
import { UserFacingError } from './terminal.js';

export interface ServerPlace {
  parent: string;
  logs: string;
  user: SystemUser | undefined;
  /** Whether the data must survive a crash of the machine. */
  durable: boolean;
  /** Whether tests or measurements use it. */
  ephemeral: boolean;
}

interface ServerSpec {
  program: (port: number) => ProgramSpec;
  url: (port: number) => string;
  waitUntilAnswering: (url: string) => Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const MAX_ATTEMPTS = 5;

/** A database server that keeps its address over restarts. */
export class ManagedServer {
  private constructor(
    private readonly plan: ServerSpec,
    private readonly processes: ProcessRegistry,
    readonly port: number,
    public running: RunningProgram,
  ) {}

  /** Tries another port if a program has taken the first. */
  static async start(plan: ServerSpec, processes: ProcessRegistry): Promise<ManagedServer> {
    for (let attempt = 1; ; attempt += 1) {
      const port = await freePort();
      try {
        return new ManagedServer(plan, processes, port, await startOnPort(plan, port, processes));
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isPortTaken(error)) throw error;
      }
    }
  }

  get url(): string {
    return this.plan.url(this.port);
  }

  async kill(): Promise<void> {
    this.running.kill();
    await this.running.exited;
  }

  /** After a kill, the first attempts may fail: the dead server still holds its port or data. */
  async restart(): Promise<void> {
    await this.running.stop();
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.running = await startOnPort(this.plan, this.port, this.processes);
        return;
      } catch (error) {
        if (attempt === MAX_ATTEMPTS) throw error;
        await pause(200 * attempt);
      }
    }
  }

  /** Connections stay open but get no response. */
  async pause(ms: number): Promise<void> {
    this.running.signal('SIGSTOP');
    await pause(ms);
    this.running.signal('SIGCONT');
  }
}

async function startOnPort(plan: ServerSpec, port: number, processes: ProcessRegistry): Promise<RunningProgram> {
  const running = spawnProgram(plan.program(port), processes);
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (running.ended) break;
    const refused = await plan.waitUntilAnswering(plan.url(port)).then(
      () => undefined,
      (error: Error) => error,
    );
    if (!refused) return running;
    if (Date.now() > deadline) await running.stop();
    await pause(25);
  }
  const { name, log } = running.program;
  throw new UserFacingError(
    `${name} did not start: it ${describeExit(await running.exited)}. Its log ends with${lastLines(log)}`,
  );
}

const isPortTaken = (error: unknown): boolean =>
  error instanceof UserFacingError && /address already in use|could not bind/i.test(error.message);
