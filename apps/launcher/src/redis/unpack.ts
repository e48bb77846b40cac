import fs from 'node:fs';
import path from 'node:path';
import { moveUnlessExists } from '../system-user.js';
import type { ProcessRegistry } from '../process-registry.js';
import { printProgress } from '../terminal.js';
import { Apt } from './apt.js';
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

/** Adds dependencies level by level until the server runs. The system usually has all but one or two. */
async function addLibraries(apt: Apt, packages: string[]): Promise<boolean> {
  let level = packages;
  for (let depth = 0; depth < MAX_DEPENDENCY_DEPTH && level.length > 0; depth += 1) {
    if (findProgramIn(apt.root)) return true;
    level = await apt.librariesOf(level);
    await apt.unpack(level);
  }
  return findProgramIn(apt.root) !== undefined;
}
