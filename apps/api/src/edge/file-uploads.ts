import { MAX_ATTACHMENTS } from '#libs/entities';
import type { Upload } from '#libs/tickets';
import multipart from '@fastify/multipart';
import { type NestFastifyApplication, RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyRequest, errorCodes } from 'fastify';
import { discardMultipartForm, readMultipartForm, withMultipartErrors } from './multipart-form.js';
import { unsupportedMediaType } from './raw-mail.js';
import { expectUpload } from './transfer-deadlines.js';

/** Accepts one file too many, so that the error can name it. */
const LIMITS = { fields: 20, fieldSize: 64 * 1024, files: MAX_ATTACHMENTS + 1, fileSize: Number.MAX_SAFE_INTEGER };

export const AcceptsFiles = () => RouteConfig({ acceptsFiles: true });

export async function acceptMultipart(app: NestFastifyApplication): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false, limits: LIMITS });
  const server = app.getHttpAdapter().getInstance();
  server.addHook('preValidation', async (request) => {
    const config = request.routeOptions.config as { acceptsFiles?: boolean; acceptsMultipartForm?: boolean };
    if (!request.isMultipart() || config.acceptsFiles) return;
    if (!config.acceptsMultipartForm) throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE('');
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
