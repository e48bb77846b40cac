import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describeExit, spawnProgram } from './program.js';
import type { ProcessRegistry } from './process-registry.js';
import { UserFacingError } from './terminal.js';

const COMPILER = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--watch', '--preserveWatchOutput'];
const EMITTED = 'TSFILE: ';
const DONE = /Found 0 errors\. Watching/;

/** Runs before anything is compiled, so it is not part of the compiled code. */
const BUILD = new URL('../../../../apps/launcher/bootstrap/build.mjs', import.meta.url);

/**
 * One compiler for all apps: two would write the same files at the same time. It tells what it wrote, and nothing is
 * handed on before all of it is written and free of errors. Rejects when the compiler ends.
 */
export async function watchSources(changes: SourceChanges, processes: ProcessRegistry): Promise<never> {
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
export function watchAssets(changes: SourceChanges): void {
  for (const folder of assetFolders())
    fs.watch(folder, { persistent: false }, (_event, file) => changes.add([path.posix.join(folder, file ?? '')]));
}

function assetFolders(): string[] {
  const names = fs.existsSync('apps') ? fs.readdirSync('apps', { recursive: true, encoding: 'utf8' }) : [];
  return names.filter((name) => path.basename(name) === 'assets').map((name) => path.join('apps', name));
}

/** One save in an editor causes several events, and one build many files. */
const SETTLES_MS = 100;

/** Collects changed files until no more arrive. */
export class SourceChanges {
  private readonly files = new Set<string>();
  private wake: () => void = () => undefined;
  private some = this.nextWake();

  add(files: Iterable<string>): void {
    for (const file of files) this.files.add(file);
    if (this.files.size > 0) this.wake();
  }

  async next(): Promise<string[]> {
    await this.some;
    await pause(SETTLES_MS);
    this.some = this.nextWake();
    const files = [...this.files];
    this.files.clear();
    return files;
  }

  private nextWake(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }
}
