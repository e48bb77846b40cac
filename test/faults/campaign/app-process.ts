import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';

/** Longer than any grace time: who takes longer hangs. */
const STOP_TIMEOUT_MS = 30_000;
const START_TIMEOUT_MS = 60_000;
const LINES_KEPT = 300;

/** One process of the product, that is killed, asked to stop and started again at the same address. */
export class AppProcess {
  /** What it did that it must not do: end by itself, or fail to stop when asked. */
  readonly violations: string[] = [];
  private readonly lines: string[] = [];
  private child: ChildProcess | undefined;
  private isWanted = false;

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

  /** Resolves when it is ready. */
  async start(): Promise<void> {
    const { PATH = '' } = process.env;
    const port = `${this.options.port}`;
    const env = { PATH, ...this.options.environment, [this.app === 'api' ? 'PORT' : 'WORKER_PORT']: port };
    const main = resolve(`dist/apps/${this.app}/src/main.js`);
    const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    this.isWanted = true;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => this.keep(chunk.toString()));
    child.once('exit', (code, signal) => {
      if (this.isWanted) this.violations.push(`${this.name} ended by itself (${code ?? signal})`);
    });
    await eventually(async () => (await fetch(`${this.base}/readyz`)).ok, { withinMs: START_TIMEOUT_MS });
  }

  async killFor(ms: number): Promise<void> {
    await this.end('SIGKILL');
    await delay(ms);
    await this.start();
  }

  async stopFor(ms: number): Promise<void> {
    await this.stop();
    await delay(ms);
    await this.start();
  }

  /** As an orchestrator would, which kills what does not obey. */
  async stop(): Promise<void> {
    const code = await Promise.race([this.end('SIGTERM'), delay(STOP_TIMEOUT_MS, 'hangs' as const, { ref: false })]);
    if (code === 'hangs') await this.end('SIGKILL');
    if (code !== 0) this.violations.push(`${this.name} was asked to stop and ended with ${code ?? 'a signal'}`);
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    this.isWanted = false;
    const { child } = this;
    if (!child) return 0;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    }
    return child.exitCode;
  }

  private keep(text: string): void {
    this.lines.push(text);
    if (this.lines.length > LINES_KEPT) this.lines.shift();
  }
}
