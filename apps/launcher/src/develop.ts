import { EventEmitter, once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { isDiskFull, keepRunning } from './supervise.js';
import type { LaunchContext } from './work-directory.js';
import type { Options } from './options.js';
import { assertPortFree, freePort } from './ports.js';
import { type ProductProcess, describeExit, spawnProgram } from './program.js';
import type { ProcessRegistry } from './process-registry.js';
import { bringUp } from './start.js';
import { printProgress, UserFacingError } from './terminal.js';
import { setTimeout as pause } from 'node:timers/promises';

/** Runs the API and a worker, and restarts them when one of their files changes. */
export async function develop(context: LaunchContext): Promise<never> {
  const { options, processes, workDirectory } = context;
  const port = await choosePort(options);
  const { servers, apps } = await bringUp({ ...context, options: { ...options, port } }, 'terminal');
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

const concerns = (file: string, app: string): boolean => file.startsWith('libs/') || file.startsWith(`apps/${app}/`);

const COMPILER = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--watch', '--preserveWatchOutput'];
const EMITTED = 'TSFILE: ';
const DONE = /Found 0 errors\. Watching/;

/** Runs before anything is compiled, so it is not part of the compiled code. */
const BUILD = new URL('../../../../apps/launcher/bootstrap/build.mjs', import.meta.url);

/**
 * One compiler for all apps: two would write the same files at the same time. It tells what it wrote, and nothing is
 * handed on before all of it is written and free of errors. Rejects when the compiler ends.
 */
async function watchSources(changes: SourceChanges, processes: ProcessRegistry): Promise<never> {
  const { removeOrphans } = (await import(BUILD.href)) as { removeOrphans: (root: string) => string[] };
  const changed = new Set<string>();
  const readLine = (line: string): void => {
    if (line.startsWith(EMITTED)) changed.add(path.relative('dist', line.slice(EMITTED.length).trimEnd()));
    else if (DONE.test(line)) {
      for (const orphan of removeOrphans('.')) changed.add(path.relative('dist', orphan));
      changes.add(changed);
      changed.clear();
    } else if (line.trim() !== '') process.stdout.write(`${line}\n`);
  };
  const args = [...COMPILER, '--listEmittedFiles', '--pretty'];
  const compiler = spawnProgram(
    { name: 'the compiler', file: process.execPath, args, environment: process.env, graceMs: 5_000, readLine },
    processes,
  );
  throw new UserFacingError(`the compiler ${describeExit(await compiler.exited)}.`);
}

/** Style sheets, scripts and images, which the compiler does not watch. */
function watchAssets(changes: SourceChanges): void {
  const names = fs.existsSync('apps') ? fs.readdirSync('apps', { recursive: true, encoding: 'utf8' }) : [];
  const folders = names.filter((name) => path.basename(name) === 'assets').map((name) => path.join('apps', name));
  for (const folder of folders)
    fs.watch(folder, { persistent: false }, (_event, file) => changes.add([path.posix.join(folder, file ?? '')]));
}

/** One save in an editor causes several events, and one build many files. */
const SETTLES_MS = 100;

/** Collects changed files until no more arrive. */
class SourceChanges {
  private readonly files = new Set<string>();
  private readonly added = new EventEmitter();

  add(files: Iterable<string>): void {
    for (const file of files) this.files.add(file);
    this.added.emit('some');
  }

  async next(): Promise<string[]> {
    if (this.files.size === 0) await once(this.added, 'some');
    await pause(SETTLES_MS);
    const files = [...this.files];
    this.files.clear();
    return files;
  }
}
