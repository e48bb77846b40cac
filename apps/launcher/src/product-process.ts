import path from 'node:path';
import { logFolder } from './work-directory.js';
import { spawnProgram, rotateLog, type ExitStatus, type RunningProgram } from './program.js';
import type { LaunchContext } from './launch-context.js';

/**
 * A worker keeps one core busy. The four helpers that Node gives it would take the others’, to collect its garbage; and
 * with more room for young objects there is less to collect.
 */
const NODE_FLAGS: Readonly<Record<string, readonly string[]>> = {
  worker: ['--v8-pool-size=1', '--max-semi-space-size=32'],
};

/** One of the product's own processes, which writes its log to a file. */
export class ProductProcess {
  readonly log: string;
  private running: RunningProgram;

  constructor(
    readonly name: string,
    private readonly context: LaunchContext,
    private readonly environment: NodeJS.ProcessEnv,
  ) {
    this.log = rotateLog(path.join(logFolder(context.workDirectory.folder), `${name}.log`));
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
        args: [...(NODE_FLAGS[this.name] ?? []), `dist/apps/${this.name}/src/main.js`],
        environment: this.environment,
        stopSignal: 'SIGTERM',
        // Longer than the app's own SHUTDOWN_GRACE_MS, after which it ends by itself.
        graceMs: 30_000,
        log: this.log,
      },
      this.context.processes,
    );
  }
}
