import { statfs } from 'node:fs/promises';
import type { Settings } from '#libs/settings';
import { type CheckResult, type Finding, amber, green, red, toFinding } from './finding.js';

const MIB = 1024 * 1024;
/** PostgreSQL writes its log of changes in pieces of 16 MiB, and a few of them are always being written. */
const FULL_BYTES = 64 * MIB;
const SCARCE_BYTES = 1024 * MIB;

/** Nothing where the installation keeps nothing on this machine. */
export async function examineDisk({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): Promise<Finding[]> {
  try {
    const { bavail, bsize } = await statfs(DATA_DIR);
    return [toFinding('disk', checkDisk(bavail * bsize, DATA_DIR))];
  } catch {
    return [];
  }
}

export function checkDisk(freeBytes: number, folder: string): CheckResult {
  const left = `${Math.floor(freeBytes / MIB).toLocaleString('en')} MiB left for ${folder}`;
  if (freeBytes < FULL_BYTES) return red(`disk full: ${left}. Changes are answered with 503 until there is room`);
  return freeBytes < SCARCE_BYTES ? amber(`${left}: make room before the disk is full`) : green(left);
}
