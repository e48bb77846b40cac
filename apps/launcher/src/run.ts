import type { Ground } from './ground.js';
import { startControl } from './control.js';
import { programEnvironment } from './environment.js';
import { launch, type Exit } from './program.js';
import { Refusal } from './say.js';
import { startServices } from './services.js';

/** Runs one command against the databases and answers its exit code. */
export async function runCommand(ground: Ground): Promise<number> {
  const [file, ...args] = ground.options.command;
  if (!file) throw new Refusal('Name the command to run after two dashes: run -- node some/program.js');
  const services = await startServices(ground);
  const control = ground.options.servers === 'throw-away' ? await startControl(ground, services) : undefined;
  const environment = programEnvironment(ground, services);
  if (control) environment['DESKWIRE_TEST_SERVERS'] = control.url;
  const running = launch(
    { name: 'the command', tier: 'app', file, args, environment, stopSignal: 'SIGTERM', graceMs: 30_000 },
    ground.roster,
  );
  const exit = await running.exited;
  control?.close();
  return exitCode(file, exit);
}

function exitCode(file: string, { code, signal, error }: Exit): number {
  if (error) throw new Refusal(`${file} could not be started: ${error.message}`);
  if (signal) return signal === 'SIGKILL' ? 137 : 130;
  return code ?? 1;
}
