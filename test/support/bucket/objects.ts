import { randomUUID } from 'node:crypto';
import { type ReadStream, createReadStream, createWriteStream } from 'node:fs';
import { appendFile, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

interface MultipartUpload {
  readonly key: string;
  readonly parts: Map<number, UploadedPart>;
}

interface UploadedPart {
  readonly file: string;
  readonly etag: string;
}

/** Both bytes are included. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** The minimum size in S3 of any part but the last. */
const MIN_PART_BYTES = 5 * 1024 * 1024;

/** The content of a bucket: whole objects, and uploads that stay invisible until they are completed. */
export class BucketObjects {
  private readonly whole = new Map<string, string>();
  private readonly uploads = new Map<string, MultipartUpload>();

  constructor(private readonly folder: string) {}

  /** Each object and each unfinished upload. */
  names(): string[] {
    return [...this.whole.keys(), ...[...this.uploads.values()].map(({ key }) => key)];
  }

  async put(key: string, content: AsyncIterable<Uint8Array>): Promise<string> {
    const { file, etag } = await this.keep(content);
    this.whole.set(key, file);
    return etag;
  }

  async get(key: string): Promise<{ size: number; content: (part?: Part) => ReadStream } | undefined> {
    const file = this.whole.get(key);
    if (file === undefined) return undefined;
    return { size: (await stat(file)).size, content: (part) => createReadStream(file, part) };
  }

  async remove(key: string): Promise<void> {
    const file = this.whole.get(key);
    this.whole.delete(key);
    if (file !== undefined) await rm(file, { force: true });
  }

  begin(key: string): string {
    const id = randomUUID();
    this.uploads.set(id, { key, parts: new Map() });
    return id;
  }

  /** Undefined without such an upload. */
  async putPart(id: string, number: number, content: AsyncIterable<Uint8Array>): Promise<string | undefined> {
    const part = await this.keep(content);
    this.uploads.get(id)?.parts.set(number, part);
    return this.uploads.has(id) ? part.etag : undefined;
  }

  /** The named parts in order, or the reason for a refusal. */
  async complete(
    id: string,
    named: readonly { number: number; etag: string }[],
  ): Promise<string | { refused: string }> {
    const upload = this.uploads.get(id);
    if (!upload) return { refused: 'NoSuchUpload' };
    const parts = named.map(({ number, etag }) => ({ part: upload.parts.get(number), etag }));
    if (parts.some(({ part, etag }) => part?.etag !== etag)) return { refused: 'InvalidPart' };
    const file = this.place();
    for (const [at, { part }] of parts.entries()) {
      const bytes = await readFile(part!.file);
      if (at < parts.length - 1 && bytes.length < MIN_PART_BYTES) return { refused: 'EntityTooSmall' };
      await appendFile(file, bytes);
    }
    this.whole.set(upload.key, file);
    await this.abort(id);
    return `${id}-${parts.length}`;
  }

  async abort(id: string): Promise<boolean> {
    const upload = this.uploads.get(id);
    this.uploads.delete(id);
    for (const { file } of upload?.parts.values() ?? []) await rm(file, { force: true });
    return upload !== undefined;
  }

  private async keep(content: AsyncIterable<Uint8Array>): Promise<UploadedPart> {
    const file = this.place();
    await pipeline(content, createWriteStream(file));
    return { file, etag: path.basename(file).replaceAll('-', '') };
  }

  private place(): string {
    return path.join(this.folder, randomUUID());
  }
}
