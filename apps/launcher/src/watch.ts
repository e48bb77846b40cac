import fs from 'node:fs';
import path from 'node:path';
import type { Changes } from './changes.js';
import { describeExit, spawnProgram } from './program.js';
import type { ProcessRegistry } from './process-registry.js';
import { UserFacingError } from './terminal.js';

const COMPILER = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--watch', '--preserveWatchOutput'];
const EMITTED = /^TSFILE: (.+)$/;
const DONE = /Found (\d+) errors?\. Watching/;

/**
 * One compiler for all apps: two would write the same files at the same time. It tells what it wrote, and nothing is
 * handed on before all of it is written and free of errors. Rejects when the compiler ends.
 */
export async function watchSources(changes: Changes, processes: ProcessRegistry): Promise<never> {
  const report = new CompilerReport(changes);
  const compiler = spawnProgram(
    {
      name: 'the compiler',
      file: process.execPath,
      args: [...COMPILER, '--listEmittedFiles', '--pretty'],
      environment: process.env,
      graceMs: 5_000,
      read: (text) => report.read(text),
    },
    processes,
  );
  throw new UserFacingError(`the compiler ${describeExit(await compiler.exited)}.`);
}

class CompilerReport {
  private rest = '';
  private readonly emitted = new Set<string>();

  constructor(private readonly changes: Changes) {}

  read(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.readLine(line.trimEnd());
  }

  private readLine(line: string): void {
    const file = EMITTED.exec(line)?.[1];
    const errors = DONE.exec(line)?.[1];
    if (file) this.emitted.add(path.relative('dist', file));
    else if (errors === '0') this.handOver();
    else if (line !== '') process.stdout.write(`${line}\n`);
  }

  private handOver(): void {
    this.changes.add(this.emitted);
    this.emitted.clear();
  }
}

/** What an app reads when it starts and the compiler does not know of: style sheets, scripts and images. */
export function watchAssets(changes: Changes): void {
  for (const folder of assetFolders())
    fs.watch(folder, { persistent: false }, (_event, file) => changes.add([path.posix.join(folder, file ?? '')]));
}

function assetFolders(): string[] {
  const names = fs.existsSync('apps') ? fs.readdirSync('apps', { recursive: true, encoding: 'utf8' }) : [];
  return names.filter((name) => path.basename(name) === 'assets').map((name) => path.join('apps', name));
}
