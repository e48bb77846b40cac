import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { ProcessRegistry } from '../process-registry.js';
import { spawnProgram } from '../program.js';
import { moveUnlessExists } from '../system-user.js';
import { printProgress } from '../terminal.js';

export interface RedisProgram {
  file: string;
  version: string;
  /** Folders of the libraries that were unpacked with it. */
  libraries: string[];
}

export const SERVER_NAMES = ['redis-server', 'valkey-server'];

export function findProgramIn(root: string): RedisProgram | undefined {
  const files = SERVER_NAMES.map((name) => path.join(root, 'usr/bin', name));
  return firstRunnable(files, libraryFolders(root));
}

/** Only running it proves that all its libraries are present. */
export function firstRunnable(files: readonly string[], libraries: string[]): RedisProgram | undefined {
  for (const file of files.filter((one) => fs.existsSync(one))) {
    const { status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8', env: libraryEnvironment(libraries) });
    if (status === 0) return { file, version: /v=([\d.]+)/.exec(stdout)?.[1] ?? 'unknown', libraries };
  }
  return undefined;
}

function libraryFolders(root: string): string[] {
  const libraries = fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.so(\.|$)/.test(name));
  return [...new Set(libraries.map((name) => path.join(root, path.dirname(name))))];
}

export const libraryEnvironment = (libraries: string[]): NodeJS.ProcessEnv =>
  libraries.length > 0 ? { ...process.env, LD_LIBRARY_PATH: libraries.join(':') } : process.env;

const APT_GET = '/usr/bin/apt-get';
const DPKG_DEB = '/usr/bin/dpkg-deb';
/** The server and its tools share a program. apt adds the libraries that the system lacks. */
const PACKAGES = [
  ['redis-server', 'redis-tools'],
  ['valkey-server', 'valkey-tools'],
];
const DOWNLOAD = ['install', '--download-only', '--reinstall', '--no-install-recommends', '--assume-yes'];

/**
 * On Debian and Ubuntu, unpacks the distribution's package into its own folder. That installs nothing and needs no
 * rights, and the next run finds it there. Returns the root of what was unpacked.
 */
export async function unpackDistributionPackage(
  programs: string,
  processes: ProcessRegistry,
): Promise<string | undefined> {
  const place = path.join(programs, `redis-${process.arch}`);
  if (fs.existsSync(place) && findProgramIn(place)) return place;
  if (!fs.existsSync(APT_GET) || !fs.existsSync(DPKG_DEB) || !isWritable(programs)) return undefined;
  printProgress('no Redis is installed: fetching the distribution’s package for this folder only …');
  const draft = fs.mkdtempSync(path.join(programs, 'draft-'));
  try {
    const root = await unpackInto(draft, processes);
    if (root === undefined) return undefined;
    fs.rmSync(place, { recursive: true, force: true });
    moveUnlessExists(root, place);
    return place;
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

function isWritable(folder: string): boolean {
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch {
    printProgress(`${folder} is not writable, so no Redis can be unpacked there`);
    return false;
  }
}

async function unpackInto(folder: string, processes: ProcessRegistry): Promise<string | undefined> {
  const root = path.join(folder, 'root');
  const archives = path.join(folder, 'archives');
  for (const name of ['root', 'lists/partial', 'archives/partial', 'sources.d'])
    fs.mkdirSync(path.join(folder, name), { recursive: true });
  const options = aptOptions(folder);
  // Some sources may fail; the download decides.
  await run(APT_GET, [...options, 'update'], folder, processes);
  for (const names of PACKAGES) {
    await run(APT_GET, [...options, ...DOWNLOAD, ...names], folder, processes);
    for (const file of fs.readdirSync(archives).filter((name) => name.endsWith('.deb')))
      await run(DPKG_DEB, ['-x', path.join(archives, file), root], folder, processes);
    if (findProgramIn(root)) return root;
  }
  return undefined;
}

/** apt with private lists, cache and sources, which needs no root. */
function aptOptions(folder: string): string[] {
  const settings = {
    'Dir::State::lists': path.join(folder, 'lists'),
    'Dir::Cache': folder,
    'Dir::Cache::archives': path.join(folder, 'archives'),
    'Dir::Cache::pkgcache': '',
    'Dir::Cache::srcpkgcache': '',
    'Debug::NoLocking': 'true',
    // As root, apt would switch to an account that cannot write here.
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
    'Acquire::GzipIndexes': 'true',
    'Acquire::Retries': '1',
    'Acquire::http::Timeout': '15',
    ...distributionSources(path.join(folder, 'sources.d')),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

/** Leaves out third-party repositories, which may not respond. */
function distributionSources(folder: string): Record<string, string> {
  const all = ['sources.list', 'sources.list.d/debian.sources', 'sources.list.d/ubuntu.sources'];
  const found = all.map((name) => path.join('/etc/apt', name)).filter((file) => fs.existsSync(file));
  if (found.length === 0) return {};
  for (const file of found)
    fs.copyFileSync(file, path.join(folder, path.basename(file).replace('sources.list', 'distribution.list')));
  return { 'Dir::Etc::sourcelist': '/dev/null', 'Dir::Etc::sourceparts': folder };
}

const COMMAND_TIMEOUT_MS = 90_000;

async function run(file: string, args: string[], folder: string, processes: ProcessRegistry): Promise<void> {
  // The current PATH may contain only node and npm.
  const environment = { ...process.env, PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };
  const output = { log: path.join(folder, 'output'), folder, graceMs: 5_000 };
  const running = spawnProgram({ name: path.basename(file), file, args, environment, ...output }, processes);
  const timer = setTimeout(() => running.kill(), COMMAND_TIMEOUT_MS);
  await running.exited;
  clearTimeout(timer);
}
