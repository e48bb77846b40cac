import fs from 'node:fs';
import path from 'node:path';
import { spawnProgram } from '../program.js';
import type { ProcessRegistry } from '../process-registry.js';
import { moveUnlessExists } from '../system-user.js';
import { printProgress } from '../terminal.js';
import { findProgramIn } from './program.js';

// The server and its libraries are in different packages, which differ between releases.
const PACKAGES = [
  ['redis-server', 'redis-tools'],
  ['valkey-server', 'valkey-tools'],
];
const MAX_DEPENDENCY_DEPTH = 4;
const DRAFT_PREFIX = 'draft-';

/**
 * On Debian and Ubuntu, unpacks the distribution's package into a folder of ours. That installs nothing and needs no
 * rights, and the next run finds it there. Returns the root of what was unpacked.
 */
export async function unpackDistributionPackage(
  programs: string,
  processes: ProcessRegistry,
): Promise<string | undefined> {
  const place = path.join(programs, `redis-${process.arch}`);
  if (fs.existsSync(place) && findProgramIn(place)) return place;
  if (!Apt.isHere() || !isWritable(programs)) return undefined;
  printProgress('no Redis is installed: fetching the distribution’s package for this folder only …');
  const draft = fs.mkdtempSync(path.join(programs, DRAFT_PREFIX));
  try {
    if (!(await unpack(draft, processes))) return undefined;
    fs.rmSync(place, { recursive: true, force: true });
    moveUnlessExists(path.join(draft, 'root'), place);
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

async function unpack(draft: string, processes: ProcessRegistry): Promise<boolean> {
  const apt = new Apt(draft, processes);
  await apt.update();
  for (const names of PACKAGES) {
    if ((await apt.unpack(names)) && (await addLibraries(apt, names))) return true;
  }
  return false;
}

/** Adds dependencies level by level until the server runs. The system usually lacks one or two. */
async function addLibraries(apt: Apt, packages: string[]): Promise<boolean> {
  let level = packages;
  for (let depth = 0; depth < MAX_DEPENDENCY_DEPTH && level.length > 0; depth += 1) {
    if (findProgramIn(apt.root)) return true;
    level = await apt.librariesOf(level);
    await apt.unpack(level);
  }
  return findProgramIn(apt.root) !== undefined;
}

const APT_GET = '/usr/bin/apt-get';
const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
const DISTRIBUTION_SOURCES = ['sources.list', 'sources.list.d/debian.sources', 'sources.list.d/ubuntu.sources'];
const COMMAND_TIMEOUT_MS = 90_000;

/** apt with private lists, cache and sources, which needs no root. */
class Apt {
  readonly root: string;
  private readonly options: string[];
  private readonly asked = new Set<string>();

  static isHere(): boolean {
    return fs.existsSync(APT_GET) && fs.existsSync('/usr/bin/dpkg-deb');
  }

  constructor(
    private readonly folder: string,
    private readonly processes: ProcessRegistry,
  ) {
    this.root = path.join(folder, 'root');
    for (const name of ['root', 'lists/partial', 'archives/partial', 'sources.d']) {
      fs.mkdirSync(path.join(folder, name), { recursive: true });
    }
    this.options = this.privateOptions();
  }

  /** Some sources may fail; the download decides. */
  async update(): Promise<void> {
    await this.run(APT_GET, [...this.options, 'update']);
  }

  async unpack(packages: string[]): Promise<boolean> {
    const fresh = packages.filter((name) => !this.asked.has(name));
    for (const name of fresh) this.asked.add(name);
    if (fresh.length === 0) return true;
    const archives = path.join(this.folder, 'archives');
    const { ok } = await this.run(APT_GET, [...this.options, 'download', ...fresh], archives);
    for (const file of fs.readdirSync(archives).filter((name) => name.endsWith('.deb'))) {
      await this.run('/usr/bin/dpkg-deb', ['-x', path.join(archives, file), this.root], archives);
      fs.rmSync(path.join(archives, file));
    }
    return ok;
  }

  async librariesOf(packages: string[]): Promise<string[]> {
    const { output } = await this.run('/usr/bin/apt-cache', [...this.options, 'depends', '--important', ...packages]);
    const names = [...output.matchAll(/^[ |]*(?:Pre)?Depends: (lib[^\s:<>]+)/gm)].map(([, name]) => name ?? '');
    // The system's loader works only with its own C library.
    return [...new Set(names)].filter((name) => name !== 'libc6' && !this.asked.has(name));
  }

  private privateOptions(): string[] {
    const { folder } = this;
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
      ...this.distributionSources(),
    };
    return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  }

  /** Leaves out third-party repositories, which may not answer. */
  private distributionSources(): Record<string, string> {
    const found = DISTRIBUTION_SOURCES.filter((name) => fs.existsSync(path.join('/etc/apt', name)));
    if (found.length === 0) return {};
    for (const name of found) {
      const to = name === 'sources.list' ? 'distribution.list' : path.basename(name);
      fs.copyFileSync(path.join('/etc/apt', name), path.join(this.folder, 'sources.d', to));
    }
    return { 'Dir::Etc::sourcelist': '/dev/null', 'Dir::Etc::sourceparts': path.join(this.folder, 'sources.d') };
  }

  private async run(file: string, args: string[], folder = this.folder): Promise<{ ok: boolean; output: string }> {
    const log = path.join(this.folder, 'output');
    fs.rmSync(log, { force: true });
    const running = spawnProgram(
      {
        name: path.basename(file),
        file,
        args,
        folder,
        // The current PATH may contain only node and npm.
        environment: { ...process.env, PATH: SYSTEM_PATH, LC_ALL: 'C' },
        graceMs: 5_000,
        log,
      },
      this.processes,
    );
    const timer = setTimeout(() => running.kill(), COMMAND_TIMEOUT_MS);
    const { code } = await running.exited;
    clearTimeout(timer);
    return { ok: code === 0, output: fs.readFileSync(log, 'utf8') };
  }
}
