import type { LaunchContext } from './launch-context.js';
import { startServerControl } from './server-control.js';
import { programEnvironment } from './environment.js';
import { spawnProgram, type ExitStatus } from './program.js';
import { UserFacingError } from './terminal.js';
import { startServices } from './services.js';

/** Runs one command on the databases and returns its exit code. */
export async function runCommand(context: LaunchContext): Promise<number> {
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
