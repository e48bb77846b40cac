import { MAX_ATTACHMENTS } from '#libs/entities';
import type { Upload } from '#libs/tickets';
import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart';
import { HttpException } from '@nestjs/common';
import { type NestFastifyApplication, RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyRequest, errorCodes } from 'fastify';
import { requireValidValues } from './invalid-values.js';
import { unsupportedMediaType } from './raw-mail.js';
import { parseParameters } from './request-bodies.js';
import { expectUpload } from './transfer-deadlines.js';

const MIB = 1024 * 1024;

/** Accepts one file too many, so that the error can name it. */
const LIMITS = { fields: 20, fieldSize: 64 * 1024, files: MAX_ATTACHMENTS + 1, fileSize: Number.MAX_SAFE_INTEGER };

const FORM_LIMITS = { fields: 40, fieldSize: MIB };

/** Fields are held in memory before the sender is authenticated. */
const MAX_FIELD_CHARACTERS = MIB + 64 * 1024;

const multipartForms = new WeakMap<FastifyRequest, MultipartForm>();

export const AcceptsMultipartForm = () => RouteConfig({ acceptsMultipartForm: true });

export const AcceptsFiles = () => RouteConfig({ acceptsFiles: true });

export async function acceptMultipart(app: NestFastifyApplication): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false, limits: LIMITS });
  const server = app.getHttpAdapter().getInstance();
  server.addHook('preValidation', async (request) => {
    const config = request.routeOptions.config as { acceptsFiles?: boolean; acceptsMultipartForm?: boolean };
    if (!request.isMultipart() || config.acceptsFiles) return;
    if (!config.acceptsMultipartForm) throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE('');
    const form = new MultipartForm(request);
    multipartForms.set(request, form);
    // The fields before the first file become the body, because guards need the CSRF token in them.
    await form.readToNextFile();
    request.body = form.body();
  });
  // Without this, a refused form would block the connection.
  server.addHook('onResponse', async (request) => multipartForms.get(request)?.discard());
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

export interface PostedForm {
  body(): unknown;
  uploads(): AsyncGenerator<Upload>;
}

export const postedForm = (request: FastifyRequest): PostedForm =>
  multipartForms.get(request) ?? { body: () => request.body, uploads: noUploads };

// oxlint-disable-next-line no-empty-function
async function* noUploads(): AsyncGenerator<Upload> {}

/** A part may lack a name, although the type declares one. */
const hasName = ({ fieldname }: { readonly fieldname?: string }): boolean => fieldname !== undefined;

class MultipartForm implements PostedForm {
  private readonly fields = new URLSearchParams();
  private readonly parts: AsyncGenerator<Multipart>;
  private file: MultipartFile | undefined;
  private fieldCharacters = 0;

  constructor(private readonly request: FastifyRequest) {
    this.parts = withMultipartErrors(request.parts({ preservePath: true, limits: FORM_LIMITS }));
  }

  body(): unknown {
    return parseParameters(this.fields.toString());
  }

  /** A browser sends a file without a name for an empty file input. */
  async readToNextFile(): Promise<void> {
    this.file = undefined;
    for (let next = await this.parts.next(); !next.done; next = await this.parts.next()) {
      const part = next.value;
      if (part.type === 'field') this.addField(part);
      else if (part.filename) return void (this.file = part);
      else part.file.resume();
    }
  }

  async *uploads(): AsyncGenerator<Upload> {
    const arrived = expectUpload(this.request.raw);
    try {
      while (this.file) {
        const { filename: name, mimetype: contentType, file } = this.file;
        yield { name, contentType, content: withMultipartErrors<Uint8Array>(file) };
        await this.readToNextFile();
      }
      requireValidValues(this.body());
    } finally {
      arrived();
      this.discard();
    }
  }

  /** A client reads the response only after it has sent the body. */
  discard(): void {
    const { raw } = this.request;
    raw.unpipe();
    this.file?.file.destroy();
    this.file = undefined;
    raw.resume();
  }

  private addField(part: Exclude<Multipart, MultipartFile>): void {
    if (!hasName(part)) throw multipartError({});
    const value = String(part.value);
    this.fieldCharacters += part.fieldname.length + value.length;
    if (part.valueTruncated || part.fieldnameTruncated || this.fieldCharacters > MAX_FIELD_CHARACTERS)
      throw new HttpException({ error: 'body_too_large', detail: 'The text is too long.' }, 413);
    this.fields.append(part.fieldname, value);
  }
}

function multipartError({ code }: { code?: string }): HttpException {
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT')
    return new HttpException({ error: 'too_many_fields', detail: 'The body has too many parts.' }, 413);
  return new HttpException({ error: 'malformed_body', detail: 'The body is not valid multipart/form-data.' }, 400);
}

/** Errors of the consumer pass unchanged. */
async function* withMultipartErrors<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    for await (const part of source) yield part;
  } catch (error) {
    throw multipartError(error as { code?: string });
  }
}
