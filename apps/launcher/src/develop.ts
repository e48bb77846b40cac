import { Changes } from './changes.js';
import { programEnvironment } from './environment.js';
import { runFirstRun } from './first-run.js';
import { greeting } from './greeting.js';
import type { LaunchContext } from './launch-context.js';
import { publishSettings } from './running-instance.js';
import { assertPortFree, freePort } from './ports.js';
import { ProductProcess } from './product-process.js';
import { describeExit } from './program.js';
import { connectableHost, waitUntilReady } from './ready.js';
import type { ProcessRegistry } from './process-registry.js';
import { printProgress } from './terminal.js';
import { startServices } from './services.js';
import { databases } from './start.js';
import { keepRunning } from './supervise.js';
import { runOperatorCommand } from './operator-command.js';
import { watchAssets, watchSources } from './watch.js';

/** The API and a worker, restarted when a file of theirs changes. It ends by being interrupted. */
export async function develop(context: LaunchContext): Promise<never> {
  const port = await choosePort(context);
  const services = await startServices(context);
  const environment = programEnvironment(context, services);
  environment['PORT'] = `${port}`;
  environment['WORKER_PORT'] ??= `${await freePort()}`;
  const joined = context.options.servers === 'joined';
  // The links of this API lead to itself, not to the one whose servers it shares.
  if (joined) environment['PUBLIC_URL'] = `http://${connectableHost(context.options.host)}:${port}`;
  else publishSettings(context.workDirectory, environment);
  await runOperatorCommand(context, environment, ['migrate', 'up']);
  const made = joined ? undefined : await runFirstRun(context, environment);
  const apps = (['api', 'worker'] as const).map((name) => new ProductProcess(name, context, environment, 'terminal'));
  await waitUntilReady(environment, apps);
  process.stdout.write(greeting(environment['PUBLIC_URL'] ?? '', context.options.dataDir, made));
  const servers = databases(services).map((server) => keepRunning(server, context.processes));
  return Promise.race([...servers, keepCurrent(apps, context.processes)]);
}

/** Beside a running `start`, which has the usual one, another. */
async function choosePort({ options }: LaunchContext): Promise<number> {
  if (options.servers === 'joined' && !options.environment['PORT']) return freePort();
  await assertPortFree(options.host, options.port);
  return options.port;
}

async function keepCurrent(apps: readonly ProductProcess[], processes: ProcessRegistry): Promise<never> {
  const changes = new Changes();
  watchAssets(changes);
  const compilerEnded = watchSources(changes, processes);
  const restarting = new Set<ProductProcess>();
  const reportExit = async (app: ProductProcess): Promise<void> => {
    const exit = await app.exited;
    if (!processes.closed && !restarting.has(app))
      printProgress(`the ${app.name} ${describeExit(exit)}; it is started again when a file changes`);
  };
  for (const app of apps) void reportExit(app);
  for (;;) {
    const files = await Promise.race([changes.next(), compilerEnded]);
    const stale = apps.filter(({ name }) => files.some((file) => concerns(file, name)));
    if (stale.length > 0) printProgress(`restarting: ${stale.map(({ name }) => name).join(', ')}`);
    await Promise.all(
      stale.map(async (app) => {
        restarting.add(app);
        await app.restart();
        restarting.delete(app);
        void reportExit(app);
      }),
    );
  }
}

function concerns(file: string, app: string): boolean {
  return file.startsWith('libs/') || file.startsWith(`apps/${app}/`);
}
