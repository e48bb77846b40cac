import { MOST_ATTACHMENTS } from '#libs/entities';
import type { Upload } from '#libs/desk';
import multipart from '@fastify/multipart';
import { HttpException } from '@nestjs/common';
import { type NestFastifyApplication, RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/** Of a sender that has stopped sending, nothing more is expected. */
const IDLE_MS = 60_000;

/** Fields may stand beside the files, and are not read. One file more than allowed is let in, to be refused by name. */
const LIMITS = { fields: 20, fieldSize: 64 * 1024, files: MOST_ATTACHMENTS + 1, fileSize: Number.MAX_SAFE_INTEGER };

/** A route whose handler reads its body with `uploadsOf`. Everywhere else a body of files is one that is not read here. */
export const TakesFiles = () => RouteConfig({ takesFiles: true });

export async function acceptFiles(app: NestFastifyApplication): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false, limits: LIMITS });
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('preValidation', async (request) => {
      const { takesFiles } = request.routeOptions.config as { takesFiles?: boolean };
      if (request.isMultipart() && !takesFiles)
        throw unsupported('application/json or application/x-www-form-urlencoded');
    });
}

/** The files of a request one after the other, each while it arrives: the next comes when the one before has been read. */
export async function* uploadsOf(request: FastifyRequest): AsyncGenerator<Upload> {
  if (!request.isMultipart()) throw unsupported('multipart/form-data');
  const { raw } = request;
  const { socket } = raw as { socket: Partial<typeof raw.socket> };
  // A request put in without a connection has nothing to wait on.
  const end = (): unknown => raw.destroy();
  const waitAtMost = (ms: number): void => void socket.setTimeout?.(ms, end);
  waitAtMost(IDLE_MS);
  try {
    for await (const part of readable(request.files({ preservePath: true })))
      yield { name: part.filename, contentType: part.mimetype, content: readable<Uint8Array>(part.file) };
  } finally {
    waitAtMost(0);
    // Whoever is refused in the middle hears of it only after sending the rest.
    raw.resume();
  }
}

/** What the parser throws means one of a few things; what the consumer throws passes by. */
async function* readable<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    for await (const part of source) yield part;
  } catch (error) {
    throw faultOf(error as { code?: string });
  }
}

function faultOf({ code }: { code?: string }): HttpException {
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT')
    return new HttpException({ error: 'too_many_fields', detail: 'The body has too many parts.' }, 413);
  return new HttpException({ error: 'malformed_body', detail: 'The body is not valid multipart/form-data.' }, 400);
}

const unsupported = (types: string): HttpException =>
  new HttpException({ error: 'unsupported_media_type', detail: `Send the body as ${types}.` }, 415);
