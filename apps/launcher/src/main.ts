import { programEnvironment, startServices } from './services.js';
import { develop } from './develop.js';
import { readOptions, type Options } from './options.js';
import { ProcessRegistry } from './process-registry.js';
import { spawnProgram, type ExitStatus } from './program.js';
import { joinRunningInstance, openWorkDirectory, type LaunchContext } from './work-directory.js';
import { startServerControl } from './server-control.js';
import { startProduct } from './start.js';
import { serverUser } from './system-user.js';
import { UserFacingError, printProgress } from './terminal.js';

const WORK = { start: startProduct, dev: develop, run: runCommand };

export async function launcher(argv: string[]): Promise<number> {
  try {
    return await withLaunchContext(joinRunningInstance(readOptions(argv, process.env)));
  } catch (error) {
    if (!(error instanceof UserFacingError)) throw error;
    printProgress(error.message);
    return 1;
  }
}

async function withLaunchContext(options: Options): Promise<number> {
  const interrupted = interruption();
  const account = serverUser();
  const workDirectory = await openWorkDirectory(options, account);
  const processes = new ProcessRegistry(workDirectory.folder, workDirectory.temporary);
  const context: LaunchContext = { options, workDirectory, serverUser: account, processes };
  try {
    const work = WORK[options.verb](context);
    return await Promise.race([work, interrupted.then(() => (options.verb === 'run' ? 130 : 0))]);
  } finally {
    await processes.close();
    workDirectory.close();
  }
}

async function runCommand(context: LaunchContext): Promise<number> {
  const [file, ...args] = context.options.command;
  if (!file) throw new UserFacingError('Name the command to run after two dashes: run -- node some/program.js');
  const services = await startServices(context);
  const control = context.options.servers === 'ephemeral' ? await startServerControl(context, services) : undefined;
  const environment = programEnvironment(context, services);
  if (control) environment['DESKWIRE_TEST_SERVERS'] = control.url;
  const exit = await spawnProgram({ name: 'the command', file, args, environment }, context.processes).exited;
  control?.close();
  return exitCode(file, exit);
}

function exitCode(file: string, { code, signal, error }: ExitStatus): number {
  if (error) throw new UserFacingError(`${file} could not be started: ${error.message}`);
  if (signal) return signal === 'SIGKILL' ? 137 : 130;
  return code ?? 1;
}

/** One Ctrl-C can arrive twice: from the terminal, and passed on by npm. */
const SAME_PRESS_MS = 500;
const PRESSES_TO_EXIT = 3;

/** The first Ctrl-C stops everything in order. The third exits at once, and the watchdog cleans up. */
function interruption(): Promise<void> {
  let presses = 0;
  let lastAt = 0;
  return new Promise((resolve) => {
    const press = (signal: NodeJS.Signals) => {
      const now = Date.now();
      if (now - lastAt < SAME_PRESS_MS) return;
      lastAt = now;
      presses += 1;
      if (presses === 1) printProgress(`${signal === 'SIGINT' ? 'Ctrl-C' : signal}: stopping …`);
      if (presses >= PRESSES_TO_EXIT) process.exit(130);
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, press);
  });
}
