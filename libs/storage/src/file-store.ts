import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Disk } from './disk.js';

/** Where a file is: its owner's account, and an id that nobody can choose. No name of a person's is ever part of a path. */
export interface FileKey {
  readonly accountId: string;
  readonly id: string;
}

/** From the first to the last byte, both included, as in a `Range` header. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** The disk has no more room than is reserved for the database. */
export class ReserveReached extends Error {
  constructor() {
    super('the disk has no more room than is reserved for the database');
  }
}

export interface SaveOptions {
  /** Set for content that replaces a larger file, which is removed right after. */
  readonly mayUseReserve?: boolean;
}

/** Keeps the bytes of files. What is injected is one of the two beside this; both keep these promises. */
export abstract class FileStore {
  /** The disk of a folder. A bucket has no limit. */
  readonly disk: Disk | undefined;

  /** Keeps a file and removes it again: fails, saying why, where that cannot be done. */
  async check(): Promise<void> {
    // No account's, and so in nobody's way.
    const key = { accountId: 'probe', id: randomUUID() };
    await this.save(key, Readable.from([Buffer.from('ok')]), { mayUseReserve: true });
    await this.remove(key);
  }

  /** All of it or nothing: a content that fails on the way, or a store that does, leaves no file behind. */
  abstract save(key: FileKey, content: AsyncIterable<Uint8Array>, options?: SaveOptions): Promise<void>;

  /** Null where there is no such file. A range has to lie within the file. */
  abstract open(key: FileKey, range?: ByteRange): Promise<Readable | null>;

  /** Also what an interrupted `save` has left. Removing what is not there is done already. */
  abstract remove(key: FileKey): Promise<void>;
}

/** By account first, so that one can be moved or erased alone; then by the id's random end, so that no folder grows huge. */
export const pathOf = ({ accountId, id }: FileKey): string => `${accountId}/${id.slice(-2)}/${id}`;
