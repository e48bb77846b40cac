import { SourceChanges } from './watch.js';
import { isDiskFull } from './disk-watch.js';
import type { LaunchContext } from './work-directory.js';
import type { Options } from './options.js';
import { assertPortFree, freePort } from './ports.js';
import type { ProductProcess } from './product-process.js';
import { describeExit } from './program.js';
import type { ProcessRegistry } from './process-registry.js';
import { bringUp } from './start.js';
import { keepRunning } from './supervise.js';
import { printProgress } from './terminal.js';
import { watchAssets, watchSources } from './watch.js';

/** Runs the API and a worker, and restarts them when one of their files changes. */
export async function develop(context: LaunchContext): Promise<never> {
  const { options, processes, workDirectory } = context;
  const { servers, apps } = await bringUp(
    { ...context, options: { ...options, port: await choosePort(options) } },
    'terminal',
  );
  const circumstances = { processes, isDiskFull: () => isDiskFull(workDirectory.folder) };
  return Promise.race([...servers.map((server) => keepRunning(server, circumstances)), keepCurrent(apps, processes)]);
}

/** Beside a running `npm start`, which has the default port, takes another one. */
async function choosePort({ servers, environment, host, port }: Options): Promise<number> {
  if (servers === 'joined' && !environment['PORT']) return freePort();
  await assertPortFree(host, port);
  return port;
}

async function keepCurrent(apps: readonly ProductProcess[], processes: ProcessRegistry): Promise<never> {
  const changes = new SourceChanges();
  watchAssets(changes);
  const compilerEnded = watchSources(changes, processes);
  const restarting = new Set<ProductProcess>();
  const reportExit = async (app: ProductProcess): Promise<void> => {
    const exit = await app.running.exited;
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
