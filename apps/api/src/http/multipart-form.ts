import type { Upload } from '#libs/desk';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import { HttpException } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readParameters } from './body-forms.js';
import { partsFault, patient } from './parts.js';

const MIB = 1024 * 1024;

/** A message may be long; everything else that is typed is short. */
const LIMITS = { fields: 40, fieldSize: MIB };

const posted = new WeakMap<FastifyRequest, FormParts>();

/** A route for a page's form, whose body may come in parts because it may bring files along. */
export const TakesForm = () => RouteConfig({ takesForm: true });

/** The fields become the body, as far as they stand before the first file: by them it is known whose form it is. */
export async function readFormParts(request: FastifyRequest): Promise<void> {
  const form = new FormParts(request);
  posted.set(request, form);
  await form.advance();
  request.body = form.body();
}

/** A form that was refused before its files were read would otherwise keep the connection waiting. */
export function forgetFormParts(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  posted.get(request)?.discard();
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
  posted.get(request) ?? { body: () => request.body, uploads: none };

// oxlint-disable-next-line no-empty-function
async function* none(): AsyncGenerator<Upload> {}

class FormParts implements PostedForm {
  private readonly fields = new URLSearchParams();
  private readonly parts: AsyncIterator<Multipart>;
  private file: MultipartFile | undefined;

  constructor(private readonly request: FastifyRequest) {
    this.parts = request.parts({ preservePath: true, limits: LIMITS })[Symbol.asyncIterator]();
  }

  body(): unknown {
    return readParameters(this.fields.toString());
  }

  /** To the next file, or to the end. Where nobody chose a file, browsers send one without a name. */
  async advance(): Promise<void> {
    this.file = undefined;
    for (let next = await this.next(); !next.done; next = await this.next()) {
      const part = next.value;
      if (part.type === 'field') this.take(part);
      else if (part.filename) return void (this.file = part);
      else part.file.resume();
    }
  }

  async *uploads(): AsyncGenerator<Upload> {
    const relax = patient(this.request);
    try {
      while (this.file) {
        const { filename: name, mimetype: contentType, file } = this.file;
        yield { name, contentType, content: file };
        await this.advance();
      }
    } finally {
      relax();
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

  private take(part: Exclude<Multipart, MultipartFile>): void {
    if (part.valueTruncated || part.fieldnameTruncated)
      throw new HttpException({ error: 'body_too_large', detail: 'What was typed is too long.' }, 413);
    this.fields.append(part.fieldname, String(part.value));
  }

  private async next(): Promise<IteratorResult<Multipart>> {
    try {
      return await this.parts.next();
    } catch (error) {
      throw partsFault(error as { code?: string });
    }
  }
}
