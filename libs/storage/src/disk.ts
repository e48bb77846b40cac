import { statfs } from 'node:fs/promises';
import type { Settings } from '#libs/settings';

const MIB = 1024 * 1024;

/** PostgreSQL writes its log in segments of 16 MiB and needs several at once. */
const FULL_BYTES = 64 * MIB;

/**
 * Space that files leave free for PostgreSQL on the same disk: a twentieth of it. The minimum lets it write tickets for a
 * while. The maximum is what its log takes between two checkpoints (max_wal_size).
 */
const RESERVED_SHARE = 1 / 20;
const MIN_RESERVE_BYTES = 2 * FULL_BYTES;
const MAX_RESERVE_BYTES = 1024 * MIB;

export type DiskSpace = { readonly freeBytes: number; readonly reserveBytes: number };

export const reserveOf = (totalBytes: number): number =>
  Math.min(MAX_RESERVE_BYTES, Math.max(MIN_RESERVE_BYTES, totalBytes * RESERVED_SHARE));

/** `files_refused`: below the reserve, so no files are stored. `full`: PostgreSQL on this disk cannot write either. */
export function diskState({ freeBytes, reserveBytes }: DiskSpace): 'ok' | 'files_refused' | 'full' {
  if (freeBytes < FULL_BYTES) return 'full';
  return freeBytes < reserveBytes ? 'files_refused' : 'ok';
}

/** Throws if the folder does not exist. */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, reserveBytes: reserveOf(blocks * bsize) };
}

/** How long a reading is used. Bytes that this process writes in that time are subtracted. */
const CACHE_MS = 1_000;

/** The disk on which files are stored. Undefined if they are in a bucket. */
export const filesDisk = ({ STORAGE_URL }: Pick<Settings, 'STORAGE_URL'>): Disk | undefined =>
  STORAGE_URL.kind === 'folder' ? new Disk(STORAGE_URL.path) : undefined;

/** The disk of a folder. Its space is cached, so it can be read for each chunk of a file. */
export class Disk {
  private reading: { readonly space: Promise<DiskSpace>; readonly at: number } | undefined;
  private writtenBytes = 0;

  constructor(private readonly folder: string) {}

  async space(): Promise<DiskSpace> {
    const { freeBytes, reserveBytes } = await this.read();
    return { freeBytes: freeBytes - this.writtenBytes, reserveBytes };
  }

  async state(): Promise<ReturnType<typeof diskState>> {
    return diskState(await this.space());
  }

  /** Counts bytes that are about to be written. */
  note(bytes: number): void {
    this.writtenBytes += bytes;
  }

  private read(): Promise<DiskSpace> {
    if (!this.reading || performance.now() - this.reading.at > CACHE_MS) {
      this.writtenBytes = 0;
      const space = readDiskSpace(this.folder);
      // The folder may not exist before the first file is written.
      space.catch(() => (this.reading = undefined));
      this.reading = { space, at: performance.now() };
    }
    return this.reading.space;
  }
}
