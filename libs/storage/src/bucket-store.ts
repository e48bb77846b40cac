import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { BucketLocation } from '#libs/settings';
import type { OnApplicationShutdown } from '@nestjs/common';
import { S3ServiceError, S3mini } from 's3mini';
import { Agent, fetch } from 'undici';
import { type ByteRange, type FileKey, FileStore, pathOf } from './file-store.js';
import { splitIntoChunks } from './chunks.js';

/** The least that S3 takes as a part, and so the most that one upload holds in memory twice. */
const PART_BYTES = 5 * 1024 * 1024;

/** For a bucket that hangs: to connect, to the first byte of an answer, and between two bytes. */
const TIMEOUT_MS = 30_000;

/** What is in there is for whoever may have it from the API, and never shown by the bucket itself. */
const CONTENT_TYPE = 'application/octet-stream';

type Part = Awaited<ReturnType<S3mini['uploadPart']>>;

/** A bucket of S3, or of anything that speaks its language. */
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

  /** What fits in one part goes in one request, which S3 makes visible whole or not at all; the rest as its own upload. */
  async save(key: FileKey, content: AsyncIterable<Uint8Array>): Promise<void> {
    const parts = splitIntoChunks(content, PART_BYTES);
    try {
      const first = await parts.next();
      if (first.done) return;
      if (first.value.length < PART_BYTES) await this.bucket.putObject(pathOf(key), first.value, CONTENT_TYPE);
      else await this.saveInParts(pathOf(key), first.value, parts);
    } finally {
      // Whoever sends must not wait for somebody to read on, whatever became of the bucket.
      await parts.return(undefined);
    }
  }

  async open(key: FileKey, range?: ByteRange): Promise<Readable | null> {
    const answer = range ? await this.part(key, range) : await this.bucket.getObjectResponse(pathOf(key));
    return answer?.body ? Readable.fromWeb(answer.body as ReadableStream) : null;
  }

  async remove(key: FileKey): Promise<void> {
    await this.bucket.deleteObject(pathOf(key));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.close();
  }

  private async part(key: FileKey, { first, last }: ByteRange): Promise<Response | null> {
    try {
      // The library counts to the byte after the last one.
      const answer = await this.bucket.getObjectRaw(pathOf(key), false, first, last + 1);
      if (answer.status === 206) return answer;
      await answer.body?.cancel();
      throw new Error('The bucket does not answer with the part that it was asked for.');
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
      // S3 may begin to answer 200 and then say in the body that it failed after all.
      if (!etag) throw new Error('The bucket did not complete the upload.');
    } catch (error) {
      await this.bucket.abortMultipartUpload(path, upload).catch(() => undefined);
      throw error;
    }
  }
}
