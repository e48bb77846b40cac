import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/apps/worker/src/main.js', import.meta.url));

/** A worker as it is run in earnest: a process that can be killed. */
export class WorkerProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly log: string[],
  ) {}

  static async start(environment: Readonly<Record<string, string>>): Promise<WorkerProcess> {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, ['--v8-pool-size=1', '--max-semi-space-size=32', MAIN], {
      env: { PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => log.push(chunk.toString()));
    return new WorkerProcess(child, log);
  }

  output(): string {
    return this.log.join('');
  }

  async kill9(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** As an orchestrator would; resolves with the exit code. */
  async stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill(signal);
      await ended;
    }
    return this.child.exitCode;
  }
}
