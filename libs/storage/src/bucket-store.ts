import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { BucketLocation } from '#libs/settings';
import type { OnApplicationShutdown } from '@nestjs/common';
import { S3ServiceError, S3mini } from 's3mini';
import { Agent, fetch } from 'undici';
import { type ByteRange, type FileKey, FileStore, pathOf } from './file-store.js';

/** The smallest part that S3 accepts. An upload holds up to two parts in memory. */
const PART_BYTES = 5 * 1024 * 1024;

/** Limits the time to connect, to the first byte of a response, and between two bytes. */
const TIMEOUT_MS = 30_000;

/** A browser must not render files from the bucket: only the API serves them. */
const CONTENT_TYPE = 'application/octet-stream';

type Part = Awaited<ReturnType<S3mini['uploadPart']>>;

/** Stores files in a bucket of S3 or a compatible service. */
export class BucketStore extends FileStore implements OnApplicationShutdown {
  private readonly agent = new Agent({
    connect: { timeout: TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  private readonly bucket: S3mini;

  constructor({ endpoint, region, accessKeyId, secretAccessKey }: BucketLocation) {
    super();
    const { agent } = this;
    this.bucket = new S3mini({
      endpoint,
      region,
      accessKeyId,
      secretAccessKey,
      fetch: ((input: string, init: object) => fetch(input, { ...init, dispatcher: agent })) as never,
    });
  }

  /** Sends a file below the size of a part in one request, and a larger one as a multipart upload. Both are atomic. */
  async save(key: FileKey, content: AsyncIterable<Uint8Array>): Promise<void> {
    const parts = splitIntoChunks(content, PART_BYTES);
    try {
      const first = await parts.next();
      if (first.done) return;
      if (first.value.length < PART_BYTES) await this.bucket.putObject(pathOf(key), first.value, CONTENT_TYPE);
      else await this.saveInParts(pathOf(key), first.value, parts);
    } finally {
      // Without this the sender would wait for a reader after an error of the bucket.
      await parts.return(undefined);
    }
  }

  async open(key: FileKey, range?: ByteRange): Promise<Readable | null> {
    const response = range ? await this.part(key, range) : await this.bucket.getObjectResponse(pathOf(key));
    return response?.body ? Readable.fromWeb(response.body as ReadableStream) : null;
  }

  async remove(key: FileKey): Promise<void> {
    await this.bucket.deleteObject(pathOf(key));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.close();
  }

  private async part(key: FileKey, { first, last }: ByteRange): Promise<Response | null> {
    try {
      // The end of the range is exclusive here.
      const response = await this.bucket.getObjectRaw(pathOf(key), false, first, last + 1);
      if (response.status === 206) return response;
      await response.body?.cancel();
      throw new Error('The bucket did not return the requested range.');
    } catch (error) {
      if (error instanceof S3ServiceError && error.status === 404) return null;
      throw error;
    }
  }

  private async saveInParts(path: string, first: Uint8Array, rest: AsyncIterable<Uint8Array>): Promise<void> {
    const upload = await this.bucket.getMultipartUploadId(path, CONTENT_TYPE);
    try {
      const parts: Part[] = [await this.bucket.uploadPart(path, upload, first, 1)];
      for await (const part of rest) parts.push(await this.bucket.uploadPart(path, upload, part, parts.length + 1));
      const { etag } = await this.bucket.completeMultipartUpload(path, upload, parts);
      // S3 may return 200 and report the failure in the body.
      if (!etag) throw new Error('The bucket did not complete the upload.');
    } catch (error) {
      await this.bucket.abortMultipartUpload(path, upload).catch(() => undefined);
      throw error;
    }
  }
}

/** Splits content into chunks of `size` bytes; the last one is shorter. Empty content is one empty chunk. */
async function* splitIntoChunks(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let part = new Uint8Array(size);
  let filled = 0;
  let sent = 0;
  for await (const chunk of content) {
    for (let rest = chunk; rest.length > 0;) {
      if (filled === size) {
        yield part;
        sent++;
        part = new Uint8Array(size);
        filled = 0;
      }
      const piece = rest.subarray(0, size - filled);
      part.set(piece, filled);
      filled += piece.length;
      rest = rest.subarray(piece.length);
    }
  }
  if (filled > 0 || sent === 0) yield part.subarray(0, filled);
}
