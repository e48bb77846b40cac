import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { baseUrlOf } from '../api-client.js';
import { BucketObjects } from './objects.js';
import { type BucketKey, signatureErrorOf } from './signature.js';

const NAME = 'desk-files';
const KEY: BucketKey = { id: 'AKIDTESTS', secret: 'not+a/real secret=', region: 'eu-test-1' };

/** A server of one bucket with path-style S3. It verifies every signature. */
export class FakeBucket {
  /** Answers every request with this status. */
  failsWith: number | undefined;

  private constructor(
    private readonly server: Server,
    private readonly folder: string,
    private readonly objects: BucketObjects,
    private port = 0,
  ) {}

  static async start(): Promise<FakeBucket> {
    const folder = await mkdtemp(path.join(tmpdir(), 'bucket-'));
    const server = createServer();
    const bucket = new FakeBucket(server, folder, new BucketObjects(folder));
    server.on('request', (request, response) => void bucket.answer(request, response));
    await bucket.open();
    return bucket;
  }

  url({ id, secret, region } = KEY): string {
    const credentials = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
    return `s3://${credentials}@127.0.0.1:${this.port}/${NAME}?region=${region}&tls=false`;
  }

  /** With a wrong part of the key. */
  urlWith(wrong: Partial<BucketKey>): string {
    return this.url({ ...KEY, ...wrong });
  }

  files(): Promise<string[]> {
    return Promise.resolve(this.objects.names());
  }

  /** Closes the port until `open` is called. */
  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = Number(new URL(baseUrlOf(this.server)).port);
  }

  async stop(): Promise<void> {
    if (this.server.listening) await this.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = this.failsWith === undefined ? signatureErrorOf(request, KEY) : undefined;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bucket');
    const [, bucket, ...key] = decodeURIComponent(pathname).split('/');
    try {
      if (this.failsWith !== undefined) return sendS3Error(response, this.failsWith, 'InternalError');
      if (refused) return sendS3Error(response, 403, refused);
      if (bucket !== NAME) return sendS3Error(response, 404, 'NoSuchBucket');
      await this.act({ request, response, key: key.join('/'), query: searchParams });
    } catch (error) {
      response.destroy(error as Error);
    }
  }

  private act(asked: S3Request): Promise<void> | void {
    const { request, query } = asked;
    const upload = query.get('uploadId');
    const act = {
      PUT: () => (upload === null ? this.put(asked) : this.putPart(asked, upload)),
      GET: () => this.get(asked),
      HEAD: () => this.get(asked),
      POST: () => (upload === null ? this.begin(asked) : this.complete(asked, upload)),
      DELETE: () => (upload === null ? this.remove(asked) : this.abort(asked, upload)),
    }[request.method ?? ''];
    return act ? act() : sendS3Error(asked.response, 405, 'MethodNotAllowed');
  }

  private async put({ request, response, key }: S3Request): Promise<void> {
    const etag = await this.objects.put(key, request);
    response.writeHead(200, { etag: `"${etag}"` }).end();
  }

  private async get({ request, response, key }: S3Request): Promise<void> {
    const object = await this.objects.get(key);
    if (!object) return sendS3Error(response, 404, 'NoSuchKey');
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (start !== undefined && Number(start) >= object.size) return sendS3Error(response, 416, 'InvalidRange');
    const part = start === undefined ? undefined : { start: Number(start), end: Number(end) };
    response.writeHead(part ? 206 : 200, { 'content-length': part ? part.end - part.start + 1 : object.size });
    if (request.method === 'HEAD') response.end();
    else await pipeline(object.content(part), response);
  }

  private async remove({ response, key }: S3Request): Promise<void> {
    await this.objects.remove(key);
    response.writeHead(204).end();
  }

  private begin({ response, key }: S3Request): void {
    const id = this.objects.begin(key);
    sendXml(response, 200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }

  private async putPart({ request, response, query }: S3Request, upload: string): Promise<void> {
    const etag = await this.objects.putPart(upload, Number(query.get('partNumber')), request);
    if (etag === undefined) sendS3Error(response, 404, 'NoSuchUpload');
    else response.writeHead(200, { etag: `"${etag}"` }).end();
  }

  private async complete({ request, response }: S3Request, upload: string): Promise<void> {
    const parts = (await text(request)).matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"?(\w+)/g);
    const named = Array.from(parts, ([, number, etag]) => ({ number: Number(number), etag: etag! }));
    const done = await this.objects.complete(upload, named);
    if (typeof done !== 'string') return sendS3Error(response, 400, done.refused);
    sendXml(response, 200, `<CompleteMultipartUploadResult><ETag>"${done}"</ETag></CompleteMultipartUploadResult>`);
  }

  private async abort({ response }: S3Request, upload: string): Promise<void> {
    if (await this.objects.abort(upload)) response.writeHead(204).end();
    else sendS3Error(response, 404, 'NoSuchUpload');
  }
}

interface S3Request {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly key: string;
  readonly query: URLSearchParams;
}

function sendS3Error(response: ServerResponse, status: number, code: string): void {
  sendXml(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

function sendXml(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${body}`);
}
