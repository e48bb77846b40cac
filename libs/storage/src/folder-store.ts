import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ByteRange, type FileKey, FileStore, pathOf } from './file-store.js';

/** Nobody else on the machine has a business with what customers send. */
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;

/** A folder of this machine, or one that all machines of the installation share. */
export class FolderStore extends FileStore {
  constructor(private readonly folder: string) {
    super();
  }

  /** Written under a working name: under its own there is only ever a whole file. */
  async save(key: FileKey, content: AsyncIterable<Uint8Array>): Promise<void> {
    const { whole, partial } = this.placesOf(key);
    await mkdir(path.dirname(whole), { recursive: true, mode: OWN_FOLDER });
    try {
      await pipeline(content, createWriteStream(partial, { flags: 'wx', mode: OWN_FILE }));
      await rename(partial, whole);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  async open(key: FileKey, range?: ByteRange): Promise<Readable | null> {
    try {
      return (await open(this.placesOf(key).whole)).createReadStream(range && { start: range.first, end: range.last });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async remove(key: FileKey): Promise<void> {
    const { whole, partial } = this.placesOf(key);
    await Promise.all([whole, partial].map((place) => rm(place, { force: true })));
  }

  private placesOf(key: FileKey): { whole: string; partial: string } {
    const whole = path.join(this.folder, pathOf(key));
    return { whole, partial: `${whole}.part` };
  }
}
