import path from 'node:path';
import { logFolder } from './work-directory.js';
import { spawnProgram, rotateLog, type RunningProgram } from './program.js';
import type { LaunchContext } from './launch-context.js';
import { PROCESS_FLAGS } from './process-flags.js';

/** One of the product's own processes, which writes its log to a file unless the terminal is to show it. */
export class ProductProcess {
  running: RunningProgram;
  private readonly log: string | undefined;

  constructor(
    readonly name: 'api' | 'worker',
    private readonly context: LaunchContext,
    private readonly environment: NodeJS.ProcessEnv,
    output: 'log' | 'terminal',
  ) {
    // Not at a restart: the file that is named when an app crashes has to hold the crash.
    if (output === 'log') this.log = rotateLog(path.join(logFolder(context.workDirectory.folder), `${name}.log`));
    this.running = this.launch();
  }

  async restart(): Promise<void> {
    await this.running.stop();
    this.running = this.launch();
  }

  private launch(): RunningProgram {
    const { name, environment, log } = this;
    // The compiler that runs beside `dev` makes no bundles.
    const file = this.context.options.verb === 'dev' ? `dist/apps/${name}/src/main.js` : `dist/${name}.js`;
    const args = [...PROCESS_FLAGS, file];
    return spawnProgram({ name, file: process.execPath, args, environment, log }, this.context.processes);
  }
}
