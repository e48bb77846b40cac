import type { LaunchContext } from './launch-context.js';
import { ProductProcess } from './product-process.js';
import { programEnvironment } from './environment.js';
import { runFirstRun } from './first-run.js';
import { greeting } from './greeting.js';
import { publishSettings } from './running-instance.js';
import { freePort, assertPortFree } from './ports.js';
import { waitUntilReady } from './ready.js';
import { startServices, type Services } from './services.js';
import { keepRunning, type Restartable } from './supervise.js';
import { runOperatorCommand } from './operator-command.js';

/** Runs the whole product until it is interrupted, or until a process keeps failing. */
export async function startProduct(context: LaunchContext): Promise<never> {
  await assertPortFree(context.options.host, context.options.port);
  const services = await startServices(context);
  const environment = programEnvironment(context, services);
  environment['WORKER_PORT'] ??= `${await freePort()}`;
  publishSettings(context.workDirectory, environment);
  await runOperatorCommand(context, environment, ['migrate', 'up']);
  const made = await runFirstRun(context, environment);
  const apps = (['api', 'worker'] as const).map((name) => new ProductProcess(name, context, environment));
  await waitUntilReady(environment, apps);
  process.stdout.write(greeting(environment['PUBLIC_URL'] ?? '', context.workDirectory.folder, made));
  return Promise.race([...databases(services), ...apps].map((thing) => keepRunning(thing, context.processes)));
}

export function databases({ postgres, redis }: Services): Restartable[] {
  return [postgres, redis].filter((server) => server !== undefined);
}
