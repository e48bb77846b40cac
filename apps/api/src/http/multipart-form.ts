import type { Upload } from '#libs/desk';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import { HttpException } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseParameters } from './form-bodies.js';
import { multipartError, limitIdleTime } from './multipart.js';

const MIB = 1024 * 1024;

/** A message may be long; everything else that is typed is short. */
const LIMITS = { fields: 40, fieldSize: MIB };

const multipartForms = new WeakMap<FastifyRequest, MultipartForm>();

/** What a route declares about multipart bodies. */
export interface MultipartRouteConfig {
  readonly acceptsFiles?: boolean;
  readonly acceptsMultipartForm?: boolean;
}

/** A route for a form of a page, which may bring files. */
export const AcceptsMultipartForm = () => RouteConfig({ acceptsMultipartForm: true } satisfies MultipartRouteConfig);

/** The fields become the body, as far as they stand before the first file: by them it is known whose form it is. */
export async function readMultipartForm(request: FastifyRequest): Promise<void> {
  const form = new MultipartForm(request);
  multipartForms.set(request, form);
  await form.readToNextFile();
  request.body = form.body();
}

/** A form that was refused before its files were read would otherwise keep the connection waiting. */
export function discardMultipartForm(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  multipartForms.get(request)?.discard();
  done();
}

/** What a handler has of a form. */
export interface PostedForm {
  /** Whole only when the files have been read. */
  body(): unknown;
  uploads(): AsyncGenerator<Upload>;
}

/** With or without files; one that did not come in parts has none. */
export const postedForm = (request: FastifyRequest): PostedForm =>
  multipartForms.get(request) ?? { body: () => request.body, uploads: noUploads };

// oxlint-disable-next-line no-empty-function
async function* noUploads(): AsyncGenerator<Upload> {}

class MultipartForm implements PostedForm {
  private readonly fields = new URLSearchParams();
  private readonly parts: AsyncIterator<Multipart>;
  private file: MultipartFile | undefined;

  constructor(private readonly request: FastifyRequest) {
    this.parts = request.parts({ preservePath: true, limits: LIMITS })[Symbol.asyncIterator]();
  }

  body(): unknown {
    return parseParameters(this.fields.toString());
  }

  /** To the next file, or to the end. Where nobody chose a file, browsers send one without a name. */
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
    const liftIdleLimit = limitIdleTime(this.request);
    try {
      while (this.file) {
        const { filename: name, mimetype: contentType, file } = this.file;
        yield { name, contentType, content: file };
        await this.readToNextFile();
      }
    } finally {
      liftIdleLimit();
      this.discard();
    }
  }

  /** What is still to come goes nowhere, so that whoever sends it can hear the answer. */
  discard(): void {
    const { raw } = this.request;
    raw.unpipe();
    this.file?.file.destroy();
    this.file = undefined;
    raw.resume();
  }

  private addField(part: Exclude<Multipart, MultipartFile>): void {
    if (part.valueTruncated || part.fieldnameTruncated)
      throw new HttpException({ error: 'body_too_large', detail: 'What was typed is too long.' }, 413);
    this.fields.append(part.fieldname, String(part.value));
  }

  private async next(): Promise<IteratorResult<Multipart>> {
    try {
      return await this.parts.next();
    } catch (error) {
      throw multipartError(error as { code?: string });
    }
  }
}
