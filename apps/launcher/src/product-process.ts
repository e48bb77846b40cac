import path from 'node:path';
import { logFolder } from './work-directory.js';
import { spawnProgram, rotateLog, type ExitStatus, type RunningProgram } from './program.js';
import type { LaunchContext } from './launch-context.js';
import { WORKER_FLAGS } from './worker-flags.js';

/** One of the product's own processes, which writes its log to a file unless the terminal is to show it. */
export class ProductProcess {
  readonly log: string | undefined;
  private running: RunningProgram;

  constructor(
    readonly name: 'api' | 'worker',
    private readonly context: LaunchContext,
    private readonly environment: NodeJS.ProcessEnv,
    output: 'log' | 'terminal' = 'log',
  ) {
    this.log =
      output === 'log' ? rotateLog(path.join(logFolder(context.workDirectory.folder), `${name}.log`)) : undefined;
    this.running = this.launch();
  }

  get exited(): Promise<ExitStatus> {
    return this.running.exited;
  }

  async restart(): Promise<void> {
    await this.running.stop();
    this.running = this.launch();
  }

  private launch(): RunningProgram {
    return spawnProgram(
      {
        name: this.name,
        tier: 'app',
        file: process.execPath,
        args: [...(this.name === 'worker' ? WORKER_FLAGS : []), `dist/apps/${this.name}/src/main.js`],
        environment: this.environment,
        stopSignal: 'SIGTERM',
        // Longer than the app's own SHUTDOWN_GRACE_MS, after which it ends by itself.
        graceMs: 30_000,
        ...(this.log !== undefined && { log: this.log }),
      },
      this.context.processes,
    );
  }
}
