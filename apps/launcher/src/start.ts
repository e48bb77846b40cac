import type { Ground } from './ground.js';
import { App } from './app.js';
import { programEnvironment } from './environment.js';
import { firstRun } from './first-run.js';
import { greeting } from './greeting.js';
import { publishAddresses } from './join.js';
import { freePort, refuseBusyPort } from './ports.js';
import { untilReady } from './ready.js';
import { startServices, type Services } from './services.js';
import { keepRunning, type Restartable } from './supervise.js';
import { runTool } from './tool.js';

/** The whole product. It ends by being interrupted, or with what cannot be mended by starting it again. */
export async function startProduct(ground: Ground): Promise<never> {
  await refuseBusyPort(ground.options.host, ground.options.port);
  const services = await startServices(ground);
  const environment = programEnvironment(ground, services);
  environment['WORKER_PORT'] ??= `${await freePort()}`;
  publishAddresses(ground.home, environment);
  await runTool(ground, environment, ['migrate', 'up']);
  const made = await firstRun(ground, environment);
  const apps = ['api', 'worker'].map((name) => new App(name, ground, environment));
  await untilReady(environment, apps);
  process.stdout.write(greeting(environment['PUBLIC_URL'] ?? '', ground.home.folder, made));
  return Promise.race([...databases(services), ...apps].map((thing) => keepRunning(thing, ground.roster)));
}

function databases({ postgres, redis }: Services): Restartable[] {
  return [postgres, redis].filter((server) => server !== undefined);
}
