import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Disk } from './disk.js';
import { type ByteRange, type FileKey, FileStore, ReserveReached, type SaveOptions, pathOf } from './file-store.js';

/** Other users of the machine must not read files of customers. */
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;

/** Stores files in a folder, of this machine or shared by all machines of the installation. */
export class FolderStore extends FileStore {
  override readonly disk: Disk;

  constructor(private readonly folder: string) {
    super();
    this.disk = new Disk(folder);
  }

  /** Writes to a temporary name and renames it, so a partial file never has the final name. */
  async save(key: FileKey, content: AsyncIterable<Uint8Array>, options?: SaveOptions): Promise<void> {
    const { whole, partial } = this.placesOf(key);
    await mkdir(path.dirname(whole), { recursive: true, mode: OWN_FOLDER });
    try {
      const admitted = options?.mayUseReserve ? content : this.aboveReserve(content);
      await pipeline(admitted, createWriteStream(partial, { flags: 'wx', mode: OWN_FILE }));
      await rename(partial, whole);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  /** Checks the space for each chunk, because many files may be written at the same time. */
  private async *aboveReserve(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      this.disk.note(chunk.length);
      if ((await this.disk.state()) !== 'ok') throw new ReserveReached();
      yield chunk;
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
