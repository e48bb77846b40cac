import { isDiskFull, watchDisk } from './disk-watch.js';
import type { LaunchContext } from './work-directory.js';
import { ProductProcess } from './product-process.js';
import { programEnvironment } from './environment.js';
import { runFirstRun, smtpUrlOf } from './first-run.js';
import { greeting } from './greeting.js';
import { publishSettings } from './running-instance.js';
import { freePort, assertPortFree } from './ports.js';
import { connectableHost, waitUntilReady } from './ready.js';
import { startServices } from './services.js';
import { keepRunning, type Restartable } from './supervise.js';
import { runOperatorCommand } from './product-process.js';

export async function startProduct(context: LaunchContext): Promise<never> {
  await assertPortFree(context.options.host, context.options.port);
  const { servers, apps } = await bringUp(context, 'log');
  const { processes, workDirectory } = context;
  const data = watchDisk(workDirectory.folder);
  const circumstances = { processes, isDiskFull: () => isDiskFull(workDirectory.folder) };
  return Promise.race([data, ...[...servers, ...apps].map((one) => keepRunning(one, circumstances))]);
}

export async function bringUp(
  context: LaunchContext,
  output: 'log' | 'terminal',
): Promise<{ servers: Restartable[]; apps: ProductProcess[] }> {
  const { host, port, servers, dataDir } = context.options;
  const { workDirectory } = context;
  const services = await startServices(context);
  const environment = programEnvironment(context, services);
  environment['WORKER_PORT'] ??= `${await freePort()}`;
  if (servers !== 'joined') environment['MAIL_PORT'] ??= `${await freePort()}`;
  environment['CATCH_MAIL'] ??= 'true';
  const joined = servers === 'joined';
  // An API that joins links to itself, not to the one whose servers it shares.
  if (joined) environment['PUBLIC_URL'] = `http://${connectableHost(host)}:${port}`;
  else publishSettings(workDirectory, environment);
  await runOperatorCommand(context, environment, ['migrate', 'up']);
  const made = joined ? undefined : await runFirstRun(context, environment);
  const apps = (['api', 'worker'] as const).map((name) => new ProductProcess(name, context, environment, output));
  await waitUntilReady(environment, apps);
  const addresses = { baseUrl: environment['PUBLIC_URL'] ?? '', smtpUrl: smtpUrlOf(environment) };
  process.stdout.write(greeting(addresses, joined ? dataDir : workDirectory.folder, made));
  return { servers: [services.postgres, services.redis].filter((server) => server !== undefined), apps };
}
