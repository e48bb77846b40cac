import type { Upload } from '#libs/tickets';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import { HttpException } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseParameters } from './form-bodies.js';
import { requireValidValues } from './invalid-values.js';
import { multipartError, withMultipartErrors } from './multipart.js';
import { expectUpload } from './watched-connection.js';

const MIB = 1024 * 1024;

/** Only a message may be long. */
const LIMITS = { fields: 40, fieldSize: MIB };

/** All fields together: the largest message, and what else a form has. They are kept in memory before anybody is known. */
const MAX_FIELD_CHARACTERS = MIB + 64 * 1024;

const multipartForms = new WeakMap<FastifyRequest, MultipartForm>();

/** The multipart bodies that a route accepts. */
export interface MultipartRouteConfig {
  readonly acceptsFiles?: boolean;
  readonly acceptsMultipartForm?: boolean;
}

/** A route for a form of a page that may bring files. */
export const AcceptsMultipartForm = () => RouteConfig({ acceptsMultipartForm: true } satisfies MultipartRouteConfig);

/** The fields before the first file become the body. They include the CSRF token, which guards need first. */
export async function readMultipartForm(request: FastifyRequest): Promise<void> {
  const form = new MultipartForm(request);
  multipartForms.set(request, form);
  await form.readToNextFile();
  request.body = form.body();
}

/** Otherwise a form that is refused before its files are read would block the connection. */
export function discardMultipartForm(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  multipartForms.get(request)?.discard();
  done();
}

/** The form, as a handler reads it. */
export interface PostedForm {
  /** Complete only after the files have been read. */
  body(): unknown;
  uploads(): AsyncGenerator<Upload>;
}

/** A form that is not multipart has no files. */
export const postedForm = (request: FastifyRequest): PostedForm =>
  multipartForms.get(request) ?? { body: () => request.body, uploads: noUploads };

// oxlint-disable-next-line no-empty-function
async function* noUploads(): AsyncGenerator<Upload> {}

/** Its header may have none, although the type says that it has. */
const hasName = ({ fieldname }: { readonly fieldname?: string }): boolean => fieldname !== undefined;

class MultipartForm implements PostedForm {
  private readonly fields = new URLSearchParams();
  private readonly parts: AsyncIterator<Multipart>;
  private file: MultipartFile | undefined;
  private fieldCharacters = 0;

  constructor(private readonly request: FastifyRequest) {
    this.parts = request.parts({ preservePath: true, limits: LIMITS })[Symbol.asyncIterator]();
  }

  body(): unknown {
    return parseParameters(this.fields.toString());
  }

  /** Reads up to the next file or the end. A browser sends a file without a name if nobody chose one. */
  async readToNextFile(): Promise<void> {
    this.file = undefined;
    for (let next = await this.next(); !next.done; next = await this.next()) {
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
      // The fields after the first file were not there when those before it were looked at.
      requireValidValues(this.body());
    } finally {
      arrived();
      this.discard();
    }
  }

  /** Discards the rest, so that the client comes to read the answer. */
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
      throw new HttpException({ error: 'body_too_large', detail: 'What was typed is too long.' }, 413);
    this.fields.append(part.fieldname, value);
  }

  private async next(): Promise<IteratorResult<Multipart>> {
    try {
      return await this.parts.next();
    } catch (error) {
      throw multipartError(error as { code?: string });
    }
  }
}
