import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Disk } from './disk.js';

/** The id is generated: names that people choose are never part of a path. */
export type FileKey = { readonly accountId: string; readonly id: string };

/** Both ends are inclusive, as in a `Range` header. */
export type ByteRange = { readonly first: number; readonly last: number };

export class ReserveReached extends Error {
  constructor() {
    super('the disk has no more room than is reserved for the database');
  }
}

export interface SaveOptions {
  /** Set for content that replaces a larger file, which is removed right after. */
  readonly mayUseReserve?: boolean;
}

export abstract class FileStore {
  /** Undefined for a bucket, which has no limit. */
  readonly disk: Disk | undefined;

  /** Stores and removes a file, and throws if that fails. */
  async check(): Promise<void> {
    const key = { accountId: 'probe', id: randomUUID() };
    await this.save(key, Readable.from([Buffer.from('ok')]), { mayUseReserve: true });
    await this.remove(key);
  }

  /** Stores the whole file or, after an error, nothing. */
  abstract save(key: FileKey, content: AsyncIterable<Uint8Array>, options?: SaveOptions): Promise<void>;

  /** Returns null if the file does not exist. A range must lie within the file. */
  abstract open(key: FileKey, range?: ByteRange): Promise<Readable | null>;

  /** Also removes what an interrupted `save` has left. Succeeds if the file does not exist. */
  abstract remove(key: FileKey): Promise<void>;
}

/** The account comes first, so it can be moved or erased; then the random end of the id, so no folder grows too large. */
export const pathOf = ({ accountId, id }: FileKey): string => `${accountId}/${id.slice(-2)}/${id}`;
