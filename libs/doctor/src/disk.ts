import path from 'node:path';
import type { Settings } from '#libs/settings';
import { type DiskSpace, diskState, readDiskSpace } from '#libs/storage';
import { type CheckResult, type Finding, amber, green, red, toFinding } from './finding.js';

const MIB = 1024 * 1024;
/** Minimum for small disks, where twice the reserve would be too late. */
const MIN_SCARCE_BYTES = 1024 * MIB;

/** Nothing where the installation keeps nothing on this machine. */
export async function examineDisk(
  settings: Pick<Settings, 'DATA_DIR' | 'STORAGE_URL'>,
  nameOf: (folder: string) => string = (folder) => folder,
): Promise<Finding[]> {
  const check = async (folder: string) => checkDisk(await readDiskSpace(folder), nameOf(folder));
  const spaces = await Promise.allSettled(foldersOf(settings).map(check));
  return spaces.flatMap((found) => (found.status === 'fulfilled' ? [toFinding('disk', found.value)] : []));
}

/** One where files are below DATA_DIR. */
function foldersOf({ DATA_DIR, STORAGE_URL }: Pick<Settings, 'DATA_DIR' | 'STORAGE_URL'>): string[] {
  const data = path.resolve(DATA_DIR);
  if (STORAGE_URL.kind === 'bucket' || STORAGE_URL.path.startsWith(`${data}${path.sep}`)) return [data];
  return [data, STORAGE_URL.path];
}

export function checkDisk(space: DiskSpace, name: string): CheckResult {
  const { freeBytes, reserveBytes } = space;
  const left = `${mib(freeBytes)} MiB left for ${name}`;
  const state = diskState(space);
  if (state === 'full') return red(`disk full: ${left}. Changes are answered with 503 until there is room`);
  if (state === 'files_refused')
    return red(
      `${left}: mail and files are refused below ${mib(reserveBytes)} MiB, so that the rest still works. Make room`,
    );
  const isScarce = freeBytes < Math.max(MIN_SCARCE_BYTES, 2 * reserveBytes);
  return isScarce
    ? amber(`${left}: make room. Mail and files are refused below ${mib(reserveBytes)} MiB`)
    : green(left);
}

const mib = (bytes: number): string => Math.floor(bytes / MIB).toLocaleString('en');
