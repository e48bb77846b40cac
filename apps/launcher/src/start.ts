import { isDiskFull, watchDisk, keepRunning, type Restartable } from './supervise.js';
import type { LaunchContext } from './work-directory.js';
import { ProductProcess, runOperatorCommand, describeExit, lastLines } from './program.js';
import { programEnvironment, startServices } from './services.js';
import { runFirstRun, smtpUrlOf, greeting } from './first-run.js';
import { publishSettings } from './running-instance.js';
import { freePort, assertPortFree, connectableHost } from './ports.js';
import { setTimeout as pause } from 'node:timers/promises';
import { UserFacingError } from './terminal.js';

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
  const folder = joined ? dataDir : workDirectory.folder;
  process.stdout.write(greeting(environment['PUBLIC_URL'] ?? '', smtpUrlOf(environment), folder, made));
  return { servers: [services.postgres, services.redis].filter((server) => server !== undefined), apps };
}

const READY_TIMEOUT_MS = 60_000;

/** Resolves when both apps are ready. Rejects if one ends before that, because a restart would not help. */
export async function waitUntilReady(
  { HOST, PORT, WORKER_PORT }: NodeJS.ProcessEnv,
  apps: ProductProcess[],
): Promise<void> {
  const ended = new AbortController();
  const failures = apps.map(async (app) => {
    const { name, log } = app.running.program;
    const exit = await app.running.exited;
    throw new UserFacingError(`the ${name} ${describeExit(exit)}. Its log ends with${lastLines(log)}`);
  });
  const ready = [PORT, WORKER_PORT].map((port) =>
    waitUntilAnswering(`http://${connectableHost(HOST ?? '')}:${port}/readyz`, ended.signal),
  );
  try {
    await Promise.race([...failures, Promise.all(ready)]);
  } finally {
    ended.abort();
  }
}

async function waitUntilAnswering(address: string, ended: AbortSignal): Promise<void> {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  while (!ended.aborted) {
    const answer = await fetch(address, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (answer?.ok) return;
    if (Date.now() > giveUpAt)
      throw new UserFacingError(
        `Not ready within a minute: ${address} ${answer ? `answers ${answer.status}` : 'does not answer'}. The logs tell more.`,
      );
    await pause(50);
  }
}
