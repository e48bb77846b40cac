import { setTimeout as delay } from 'node:timers/promises';
import { AppProcess, ready } from '#test/support/app-process.js';
import { MachineClock } from '#test/support/machine-clock.js';
import { type ProcessMemory, readMemory } from '#test/support/process-memory.js';

/** Longer than any grace time, so a process that takes longer hangs. */
const STOP_TIMEOUT_MS = 30_000;
const START_TIMEOUT_MS = 60_000;
const LINES_KEPT = 300;
const STILL_MS = 200;

/** An API or a worker that is killed, stopped and started again at the same address. */
export class RestartableApp {
  /** Failures: the process exited by itself, or did not stop on request. */
  readonly violations: string[] = [];
  readonly clock = new MachineClock();
  private readonly lines: string[] = [];
  private current: AppProcess | undefined;
  private lastReady: AppProcess | undefined;

  constructor(
    readonly name: string,
    private readonly app: 'api' | 'worker',
    private readonly options: { port: number; environment: Readonly<Record<string, string>> },
  ) {}

  get base(): string {
    return `http://127.0.0.1:${this.options.port}`;
  }

  get log(): string {
    return this.lines.join('');
  }

  async start(): Promise<void> {
    this.lines.splice(0, this.lines.length - LINES_KEPT);
    const port = { [this.app === 'api' ? 'PORT' : 'WORKER_PORT']: `${this.options.port}` };
    const { environment } = this.options;
    const settings = { ...environment, ...this.clock.settings(environment), ...port };
    const started = new AppProcess(this.app, settings, this.lines);
    this.current = started;
    void this.watch(started);
    await ready(this.base, { withinMs: START_TIMEOUT_MS });
    this.lastReady = started;
  }

  /** Memory of the process after garbage collection. */
  async memory(): Promise<ProcessMemory> {
    // Twice, since memory outside the heap is released some time after the first. A response shows that the signal
    // arrived.
    for (let time = 0; time < 2; time++) {
      this.current?.signal('SIGUSR2');
      await readMemory(this.base);
    }
    return readMemory(this.base);
  }

  /** Calls `whileStill` between the last step of the process and its end. */
  async killFor(ms: number, whileStill?: () => Promise<unknown>): Promise<void> {
    const killed = this.take();
    if (whileStill) {
      killed?.signal('SIGSTOP');
      // Statements sent to PostgreSQL before the pause are committed by then.
      await delay(STILL_MS);
      await whileStill();
    }
    await killed?.kill9();
    await delay(ms);
    await this.start();
  }

  async stopFor(ms: number): Promise<void> {
    await this.stop();
    await delay(ms);
    await this.start();
  }

  /** Like an orchestrator, which kills a process that does not stop. */
  async stop(): Promise<void> {
    const stopping = this.take();
    if (!stopping) return;
    const code = await Promise.race([stopping.stop(), delay(STOP_TIMEOUT_MS, 'hangs' as const, { ref: false })]);
    if (code === 'hangs') await stopping.kill9();
    // Before it is ready it may not handle signals yet.
    const isStarting = code === null && this.lastReady !== stopping;
    if (code !== 0 && !isStarting)
      this.violations.push(`${this.name} was asked to stop and ended with ${code ?? 'a signal'}`);
  }

  private async watch(started: AppProcess): Promise<void> {
    const code = await started.exited;
    if (this.current === started) this.violations.push(`${this.name} ended by itself (${code ?? 'by a signal'})`);
  }

  /** Detaches the process, which may end from now on. */
  private take(): AppProcess | undefined {
    const taken = this.current;
    this.current = undefined;
    return taken;
  }
}
