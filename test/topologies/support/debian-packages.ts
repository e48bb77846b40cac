import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { accessibleCopy, serverUser } from '../../../apps/launcher/src/system-user.js';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const LIBRARIES = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' } as Readonly<Record<string, string>>;
const TIMEOUT_MS = 120_000;

export interface DebianPackages {
  readonly suite: string;
  /** Includes all dependencies, even the C library: it may differ from that of this machine. */
  readonly names: readonly string[];
  /** Lets apt add the dependencies. */
  readonly withDependencies?: boolean;
}

/** Next to the launcher's unpacked programs for this checkout, shared by all its runs. */
const PROGRAMS = path.resolve('.data/programs');

/**
 * Debian's packages, unpacked into a folder of this checkout: apt fetches them with its own lists and sources and
 * checks their signatures; nothing is installed. Later runs reuse them. Returns how to call a program in them.
 */
export function unpackedProgram(packages: DebianPackages, program: string): string[] {
  const root = path.join(accessibleCopy(unpacked(packages), packages.suite, serverUser()), 'root');
  const libraries = path.join(root, 'usr/lib', LIBRARIES[process.arch] ?? '');
  const loader = fs.readdirSync(libraries).find((name) => name.startsWith('ld-linux'))!;
  return [path.join(libraries, loader), '--library-path', libraries, path.join(root, program)];
}

/** A whole system in a folder, for chroot. Returns undefined if it is missing and must not be fetched. */
export function unpackedSystem(packages: DebianPackages, mayFetch: boolean): string | undefined {
  if (!mayFetch && !fs.existsSync(placeOf(packages))) return undefined;
  return path.join(unpacked(packages), 'root');
}

function placeOf({ suite, names }: DebianPackages): string {
  const hash = createHash('sha256').update(names.join()).digest('hex').slice(0, 8);
  return path.join(PROGRAMS, `${suite}-${hash}`);
}

function unpacked(packages: DebianPackages): string {
  const place = placeOf(packages);
  if (fs.existsSync(place)) return place;
  fs.mkdirSync(PROGRAMS, { recursive: true });
  const draft = fs.mkdtempSync(`${place}-`);
  try {
    // Servers that refuse to run as root run as another account, which needs access.
    fs.chmodSync(draft, 0o755);
    fetchInto(draft, packages);
    fs.renameSync(draft, place);
  } catch (error) {
    // Another test may have been faster.
    if (!fs.existsSync(place)) throw error;
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
  return place;
}

function fetchInto(folder: string, { suite, names, withDependencies = false }: DebianPackages): void {
  const archives = path.join(folder, 'archives');
  for (const name of ['root', 'lists/partial', 'archives/partial', 'sources'])
    fs.mkdirSync(path.join(folder, name), { recursive: true });
  fs.writeFileSync(
    path.join(folder, 'sources/debian.list'),
    `deb [signed-by=${KEYRING}] http://deb.debian.org/debian ${suite} main\n`,
  );
  fs.writeFileSync(path.join(folder, 'status'), '');
  const options = aptOptions(folder);
  run('apt-get', [...options, 'update'], folder);
  const fetch = withDependencies ? ['install', '-y', '--no-install-recommends', '--download-only'] : ['download'];
  run('apt-get', [...options, ...fetch, ...names], archives);
  for (const file of fs.readdirSync(archives).filter((name) => name.endsWith('.deb')))
    run('dpkg-deb', ['-x', file, path.join(folder, 'root')], archives);
}

function aptOptions(folder: string): string[] {
  const settings = {
    'Dir::State': folder,
    'Dir::State::lists': path.join(folder, 'lists'),
    // Nothing counts as installed in the target, whatever this machine has.
    'Dir::State::status': path.join(folder, 'status'),
    'Dir::Cache': folder,
    'Dir::Cache::archives': path.join(folder, 'archives'),
    'Dir::Etc::sourcelist': '/dev/null',
    'Dir::Etc::sourceparts': path.join(folder, 'sources'),
    'Debug::NoLocking': 'true',
    // As root, apt would switch to an account that cannot write here.
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

function run(program: string, words: string[], cwd: string): void {
  const { status, error, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8', timeout: TIMEOUT_MS });
  if (status === 0) return;
  throw new Error(
    `Packages of Debian are needed that could not be had: ${program} ${words.at(-1)}: ${error?.message ?? stderr}`,
  );
}
