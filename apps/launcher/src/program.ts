import fs from 'node:fs';
import path from 'node:path';
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { SystemUser } from './system-user.js';
import { killGroup, type ProcessRegistry, type StopOptions } from './process-registry.js';
import { PROCESS_FLAGS } from './load-program.js';
import { UserFacingError } from './terminal.js';
import { logFolder, type LaunchContext } from './work-directory.js';

/** Longer than SHUTDOWN_GRACE_MS, after which the apps end by themselves. */
const STOP_DEFAULTS: StopOptions = { tier: 'app', stopSignal: 'SIGTERM', graceMs: 30_000 };

export interface ProgramSpec extends Partial<StopOptions> {
  name: string;
  file: string;
  args: string[];
  environment: NodeJS.ProcessEnv;
  user?: SystemUser | undefined;
  folder?: string;
  /** A file for its output. Without one it shares the terminal. */
  log?: string | undefined;
  /** Receives each line of its standard output instead. */
  readLine?: (line: string) => void;
}

export type ExitStatus = { code: number | null; signal: NodeJS.Signals | null; error?: Error };

export class RunningProgram {
  readonly exited: Promise<ExitStatus>;
  ended = false;

  constructor(
    readonly program: ProgramSpec & StopOptions,
    private readonly child: ChildProcess,
    processes: ProcessRegistry,
  ) {
    if (child.pid) processes.add(child.pid, program);
    this.exited = new Promise<ExitStatus>((resolve) => {
      child.on('error', (error) => resolve({ code: null, signal: null, error }));
      child.on('exit', (code, signal) => resolve({ code, signal }));
    }).then((exit) => {
      this.kill();
      this.ended = true;
      if (child.pid) processes.remove(child.pid);
      return exit;
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  signal(name: NodeJS.Signals): void {
    if (!this.ended) this.child.kill(name);
  }

  async stop(): Promise<void> {
    this.signal(this.program.stopSignal);
    const timer = setTimeout(() => this.kill(), this.program.graceMs);
    await this.exited;
    clearTimeout(timer);
  }

  /** Includes the processes it has started. */
  kill(): void {
    if (!this.ended && this.child.pid) killGroup(this.child.pid);
  }
}

/** Starts a program in its own process group: Ctrl-C reaches only the launcher, which stops the programs in order. */
export function spawnProgram(spec: ProgramSpec, processes: ProcessRegistry): RunningProgram {
  processes.assertOpen();
  const program = { ...STOP_DEFAULTS, ...spec };
  const log = program.log ? fs.openSync(program.log, 'a', 0o600) : undefined;
  const child = spawn(program.file, program.args, {
    detached: true,
    cwd: program.folder,
    env: program.environment,
    stdio: stdioOf(program, log),
    ...program.user,
  });
  const running = new RunningProgram(program, child, processes);
  if (log !== undefined) fs.closeSync(log);
  if (child.stdout && spec.readLine) createInterface({ input: child.stdout }).on('line', spec.readLine);
  return running;
}

function stdioOf({ readLine }: ProgramSpec, log: number | undefined): StdioOptions {
  if (readLine) return ['ignore', 'pipe', 'inherit'];
  return log === undefined ? 'inherit' : ['ignore', log, log];
}

export function describeExit({ code, signal, error }: ExitStatus): string {
  if (error) return `could not be started: ${error.message}`;
  return signal ? `was ended by ${signal}` : `ended with code ${code}`;
}

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

export function rotateLog(file: string): string {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) fs.renameSync(file, `${file}.1`);
  return file;
}

/** The end of a log, for an error message. `after` skips that many bytes. */
export function lastLines(file: string | undefined, { count = 8, after = 0 } = {}): string {
  if (!file || !fs.existsSync(file)) return '';
  const lines = fs.readFileSync(file).subarray(after).toString('utf8').trimEnd().split('\n').slice(-count);
  return lines.map((line) => `\n    ${line}`).join('');
}

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
