import type { Settings } from '#libs/settings';
import { type DiskSpace, type DiskState, diskState, readDiskSpace } from './disk-space.js';

/** How long a reading is used. What this process writes meanwhile is subtracted. */
const CACHED_FOR_MS = 1_000;

interface Reading {
  readonly space: Promise<DiskSpace>;
  readonly at: number;
}

/** The disk on which files are stored. Undefined where they are in a bucket. */
export const filesDisk = ({ STORAGE_URL }: Pick<Settings, 'STORAGE_URL'>): Disk | undefined =>
  STORAGE_URL.kind === 'folder' ? new Disk(STORAGE_URL.path) : undefined;

/** The disk on which a folder is, cheap enough to be asked for each piece of a file. */
export class Disk {
  private reading: Reading | undefined;
  private writtenBytes = 0;

  constructor(private readonly folder: string) {}

  async space(): Promise<DiskSpace> {
    const { freeBytes, reserveBytes } = await this.read();
    return { freeBytes: freeBytes - this.writtenBytes, reserveBytes };
  }

  async state(): Promise<DiskState> {
    return diskState(await this.space());
  }

  /** Bytes that are about to be written. */
  note(bytes: number): void {
    this.writtenBytes += bytes;
  }

  private read(): Promise<DiskSpace> {
    if (!this.reading || performance.now() - this.reading.at > CACHED_FOR_MS) {
      this.writtenBytes = 0;
      const space = readDiskSpace(this.folder);
      // A missing folder is made before the first file is written.
      space.catch(() => (this.reading = undefined));
      this.reading = { space, at: performance.now() };
    }
    return this.reading.space;
  }
}
