import fs from 'node:fs';
import path from 'node:path';
import { PROCESS_FLAGS } from './load-program.js';
import { describeExit, lastLines, rotateLog, spawnProgram, type RunningProgram } from './program.js';
import { UserFacingError } from './terminal.js';
import { logFolder, type LaunchContext } from './work-directory.js';

/** A process of the product. Its log goes to a file or to the terminal. */
export class ProductProcess {
  running: RunningProgram;
  private readonly log: string | undefined;

  constructor(
    readonly name: 'api' | 'worker',
    private readonly context: LaunchContext,
    private readonly environment: NodeJS.ProcessEnv,
    output: 'log' | 'terminal',
  ) {
    // Only once: after a crash and a restart, the log must still hold the crash.
    if (output === 'log') this.log = rotateLog(path.join(logFolder(context.workDirectory.folder), `${name}.log`));
    this.running = this.launch();
  }

  async restart(): Promise<void> {
    await this.running.stop();
    this.running = this.launch();
  }

  private launch(): RunningProgram {
    const { name, environment, log } = this;
    // The compiler of `dev` makes no bundles.
    const file = this.context.options.verb === 'dev' ? `dist/apps/${name}/src/main.js` : `dist/${name}.js`;
    const args = [...PROCESS_FLAGS, file];
    return spawnProgram({ name, file: process.execPath, args, environment, log }, this.context.processes);
  }
}

/** Runs an operator's command. Its output goes to a log; an error quotes the end of it. */
export async function runOperatorCommand(
  context: LaunchContext,
  environment: NodeJS.ProcessEnv,
  words: string[],
): Promise<void> {
  const log = rotateLog(path.join(logFolder(context.workDirectory.folder), 'cli.log'));
  const before = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const program = { name: words[0] ?? '', file: process.execPath, args: ['dist/cli.js', ...words], environment, log };
  const exit = await spawnProgram(program, context.processes).exited;
  if (exit.code === 0) return;
  throw new UserFacingError(
    `\`${words.join(' ')}\` ${describeExit(exit)}. Its log ends with${lastLines(log, { after: before })}`,
  );
}
