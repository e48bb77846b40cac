import { HttpException } from '@nestjs/common';
import { type NestFastifyApplication, RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { expectUpload } from './transfer-deadlines.js';

const MAIL_TYPE = 'message/rfc822';

export const AcceptsMail = () => RouteConfig({ acceptsMail: true });

/** An email is not parsed as a body: the handler streams it to the storage. */
export const isRawMail = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase() === MAIL_TYPE;

export function acceptRawMail(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance();
  server.addContentTypeParser(MAIL_TYPE, (_request: FastifyRequest, _payload, done) => done(null, undefined));
  server.addHook('preValidation', async (request) => {
    const { acceptsMail } = request.routeOptions.config as { acceptsMail?: boolean };
    if (isRawMail(request) && !acceptsMail) throw unsupportedMediaType('application/json');
  });
}

export async function* mailIn(request: FastifyRequest): AsyncGenerator<Uint8Array> {
  if (!isRawMail(request)) throw unsupportedMediaType(MAIL_TYPE);
  const arrived = expectUpload(request.raw);
  try {
    // Destroying the request would close the connection before the response.
    for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array;
  } catch {
    throw new HttpException({ error: 'request_aborted', detail: 'The connection ended before the email did.' }, 400);
  } finally {
    arrived();
    request.raw.resume();
  }
}

export const unsupportedMediaType = (type: string): HttpException =>
  new HttpException({ error: 'unsupported_media_type', detail: `Send the body as ${type}.` }, 415);
