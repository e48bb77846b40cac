import path from 'node:path';
import type { Database } from '#libs/database';
import type { Settings } from '#libs/settings';
import { type DiskSpace, diskState, readDiskSpace } from '#libs/storage';
import { ATTACHMENT_FOLDERS } from './doctor.statements.js';
import { type CheckResult, type Finding, amber, green, red, toFinding } from './finding.js';

const MIB = 1024 * 1024;
/** Minimum for small disks, where twice the reserve would be too late. */
const MIN_SCARCE_BYTES = 1024 * MIB;

/** Returns nothing if the installation stores nothing on this machine. */
export async function examineDisk(
  settings: Pick<Settings, 'DATA_DIR' | 'STORAGE_URL'>,
  nameOf: (folder: string) => string = (folder) => folder,
): Promise<Finding[]> {
  const check = async (folder: string) => checkDisk(await readDiskSpace(folder), nameOf(folder));
  const spaces = await Promise.allSettled(foldersOf(settings).map(check));
  return spaces.flatMap((found) => (found.status === 'fulfilled' ? [toFinding('disk', found.value)] : []));
}

function foldersOf({ DATA_DIR, STORAGE_URL }: Pick<Settings, 'DATA_DIR' | 'STORAGE_URL'>): string[] {
  const data = path.resolve(DATA_DIR);
  if (STORAGE_URL.kind === 'bucket' || STORAGE_URL.path.startsWith(`${data}${path.sep}`)) return [data];
  return [data, STORAGE_URL.path];
}

export function checkDisk(space: DiskSpace, name: string): CheckResult {
  const { freeBytes, reserveBytes } = space;
  const left = `${mib(freeBytes)} MiB left for ${name}`;
  const state = diskState(space);
  if (state === 'full') return red(`disk full: ${left}. Changes are refused with 503 until there is space`);
  if (state === 'files_refused')
    return red(
      `${left}: mail and files are refused below ${mib(reserveBytes)} MiB, so that the rest still works. Free some space`,
    );
  const isScarce = freeBytes < Math.max(MIN_SCARCE_BYTES, 2 * reserveBytes);
  return isScarce
    ? amber(`${left}: free some space. Mail and files are refused below ${mib(reserveBytes)} MiB`)
    : green(left);
}

const mib = (bytes: number): string => Math.floor(bytes / MIB).toLocaleString('en');

export async function examineAttachments(database: Database, { STORAGE_URL }: Settings): Promise<CheckResult> {
  if (STORAGE_URL.kind === 'bucket') return green('in a bucket');
  const rows = await database.system().rows<{ host: string }>(ATTACHMENT_FOLDERS);
  if (rows.length < 2) return green('in one folder');
  const hosts = rows.map(({ host }) => host).join(', ');
  return red(
    `in ${rows.length} folders (of ${hosts}), and each host finds only its own: set STORAGE_URL to a bucket, or to a folder that all of them mount`,
  );
}
