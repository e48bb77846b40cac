import { MOST_ATTACHMENTS } from '#libs/entities';
import type { Upload } from '#libs/desk';
import multipart from '@fastify/multipart';
import { HttpException } from '@nestjs/common';
import { type NestFastifyApplication, RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { forgetFormParts, readFormParts } from './form-parts.js';
import { partsFault, patient } from './parts.js';

/** Fields may stand beside the files, and are not read. One file more than allowed is let in, to be refused by name. */
const LIMITS = { fields: 20, fieldSize: 64 * 1024, files: MOST_ATTACHMENTS + 1, fileSize: Number.MAX_SAFE_INTEGER };

/** A route whose handler reads its body with `uploadsOf`. Everywhere else a body of files is one that is not read here. */
export const TakesFiles = () => RouteConfig({ takesFiles: true });

export async function acceptFiles(app: NestFastifyApplication): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false, limits: LIMITS });
  const server = app.getHttpAdapter().getInstance();
  server.addHook('preValidation', async (request) => {
    const { takesFiles, takesForm } = request.routeOptions.config as { takesFiles?: boolean; takesForm?: boolean };
    if (!request.isMultipart() || takesFiles) return;
    if (!takesForm) throw unsupported('application/json or application/x-www-form-urlencoded');
    await readFormParts(request);
  });
  server.addHook('onResponse', forgetFormParts);
}

/** The files of a request one after the other, each while it arrives: the next comes when the one before has been read. */
export async function* uploadsOf(request: FastifyRequest): AsyncGenerator<Upload> {
  if (!request.isMultipart()) throw unsupported('multipart/form-data');
  const relax = patient(request);
  try {
    for await (const part of readable(request.files({ preservePath: true })))
      yield { name: part.filename, contentType: part.mimetype, content: readable<Uint8Array>(part.file) };
  } finally {
    relax();
    // Whoever is refused in the middle hears of it only after sending the rest.
    request.raw.resume();
  }
}

/** What the parser throws means one of a few things; what the consumer throws passes by. */
async function* readable<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    for await (const part of source) yield part;
  } catch (error) {
    throw partsFault(error as { code?: string });
  }
}

const unsupported = (types: string): HttpException =>
  new HttpException({ error: 'unsupported_media_type', detail: `Send the body as ${types}.` }, 415);
