import { statfs } from 'node:fs/promises';

const MIB = 1024 * 1024;

/** PostgreSQL writes its log of changes in pieces of 16 MiB, and a few of them are always being written. */
const FULL_BYTES = 64 * MIB;

/**
 * Room that files leave to PostgreSQL, which is often on the same disk: a twentieth of the disk. Twice what counts as full is
 * the least with which tickets can still be written for a while. PostgreSQL's log takes 1 GiB between two checkpoints
 * (max_wal_size), so more than that would be wasted on a large disk.
 */
const RESERVED_SHARE = 1 / 20;
const MIN_RESERVE_BYTES = 2 * FULL_BYTES;
const MAX_RESERVE_BYTES = 1024 * MIB;

export interface DiskSpace {
  readonly freeBytes: number;
  readonly reserveBytes: number;
}

/** `files_refused`: below the reserve, so no files are stored. `full`: PostgreSQL on this disk cannot write either. */
export type DiskState = 'ok' | 'files_refused' | 'full';

export const reserveOf = (totalBytes: number): number =>
  Math.min(MAX_RESERVE_BYTES, Math.max(MIN_RESERVE_BYTES, totalBytes * RESERVED_SHARE));

export function diskState({ freeBytes, reserveBytes }: DiskSpace): DiskState {
  if (freeBytes < FULL_BYTES) return 'full';
  return freeBytes < reserveBytes ? 'files_refused' : 'ok';
}

/** Fails where there is no such folder. */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, reserveBytes: reserveOf(blocks * bsize) };
}
