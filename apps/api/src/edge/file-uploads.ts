import { MAX_ATTACHMENTS } from '#libs/entities';
import type { Upload } from '#libs/tickets';
import multipart from '@fastify/multipart';
import { HttpException } from '@nestjs/common';
import { type NestFastifyApplication, RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import {
  type MultipartRouteConfig,
  discardMultipartForm,
  readMultipartForm,
  withMultipartErrors,
} from './multipart-form.js';
import { expectUpload } from './transfer-deadlines.js';

/** Accepts one file too many, so that the error can name it. */
const LIMITS = { fields: 20, fieldSize: 64 * 1024, files: MAX_ATTACHMENTS + 1, fileSize: Number.MAX_SAFE_INTEGER };

export const AcceptsFiles = () => RouteConfig({ acceptsFiles: true } satisfies MultipartRouteConfig);

export async function acceptMultipart(app: NestFastifyApplication): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false, limits: LIMITS });
  const server = app.getHttpAdapter().getInstance();
  server.addHook('preValidation', async (request) => {
    const { acceptsFiles, acceptsMultipartForm } = request.routeOptions.config as MultipartRouteConfig;
    if (!request.isMultipart() || acceptsFiles) return;
    if (!acceptsMultipartForm) throw unsupportedMediaType('application/json or application/x-www-form-urlencoded');
    await readMultipartForm(request);
  });
  server.addHook('onResponse', discardMultipartForm);
}

/** Read each file to its end before asking for the next. */
export async function* uploadsOf(request: FastifyRequest): AsyncGenerator<Upload> {
  if (!request.isMultipart()) throw unsupportedMediaType('multipart/form-data');
  const arrived = expectUpload(request.raw);
  try {
    for await (const part of withMultipartErrors(request.files({ preservePath: true })))
      yield { name: part.filename, contentType: part.mimetype, content: withMultipartErrors<Uint8Array>(part.file) };
  } finally {
    arrived();
    request.raw.resume();
  }
}

const unsupportedMediaType = (types: string): HttpException =>
  new HttpException({ error: 'unsupported_media_type', detail: `Send the body as ${types}.` }, 415);
