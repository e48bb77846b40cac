import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { PROCESS_FLAGS } from '../../apps/launcher/src/load-program.js';
import { eventually } from './eventually.js';

/** The folder of the compiled product, whether this file runs compiled or not. */
export const DIST = new URL(import.meta.url.includes('/dist/test/') ? '../../' : '../../dist/', import.meta.url);

/** The API or a worker as in production: a process that can be killed, and whose output can be read. */
export class AppProcess {
  readonly exited: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor(
    app: 'api' | 'worker',
    private readonly environment: Readonly<Record<string, string>>,
    private readonly log: string[] = [],
  ) {
    const { PATH = '' } = process.env;
    const main = fileURLToPath(new URL(`${app}.js`, DIST));
    this.child = spawn(process.execPath, [...PROCESS_FLAGS, main], {
      env: { PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk: Buffer) => this.log.push(chunk.toString()));
    this.exited = once(this.child, 'exit').then(([code]) => code as number | null);
  }

  get base(): string {
    return `http://127.0.0.1:${this.environment['PORT']}`;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  output(): string {
    return this.log.join('');
  }

  kill9(): Promise<number | null> {
    return this.end('SIGKILL');
  }

  /** Like an orchestrator. Resolves with the exit code. */
  stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  private end(signal: NodeJS.Signals): Promise<number | null> {
    this.signal(signal);
    return this.exited;
  }
}

/** Resolves when the API or the worker at this address is ready. */
export async function ready(base: string, { withinMs = 20_000 } = {}): Promise<void> {
  await eventually(async () => (await fetch(`${base}/readyz`)).ok, { withinMs });
}
