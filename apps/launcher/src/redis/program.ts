import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export interface RedisProgram {
  file: string;
  version: string;
  /** Folders of the libraries that were unpacked with it. */
  libraries: string[];
}

export const SERVER_NAMES = ['redis-server', 'valkey-server'];

export function findProgramIn(root: string): RedisProgram | undefined {
  return firstRunnable(
    SERVER_NAMES.map((name) => path.join(root, 'usr/bin', name)),
    libraryFolders(root),
  );
}

export function firstRunnable(files: readonly string[], libraries: string[]): RedisProgram | undefined {
  for (const file of files) {
    const version = fs.existsSync(file) ? versionIfRunnable(file, libraries) : undefined;
    if (version) return { file, version, libraries };
  }
  return undefined;
}

function libraryFolders(root: string): string[] {
  const entries = fs.readdirSync(root, { recursive: true, encoding: 'utf8' });
  const folders = entries
    .filter((entry) => /\.so(\.|$)/.test(entry))
    .map((entry) => path.join(root, path.dirname(entry)));
  return [...new Set(folders)];
}

/** Only running it proves that all its libraries are present. */
function versionIfRunnable(file: string, libraries: string[]): string | undefined {
  const { status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8', env: libraryEnvironment(libraries) });
  return status === 0 ? (/v=([\d.]+)/.exec(stdout)?.[1] ?? 'unknown') : undefined;
}

export function libraryEnvironment(libraries: string[]): NodeJS.ProcessEnv {
  return libraries.length > 0 ? { ...process.env, LD_LIBRARY_PATH: libraries.join(':') } : process.env;
}
