import { HttpException } from '@nestjs/common';
import { type NestFastifyApplication, RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { expectUpload } from './watched-connection.js';

const MAIL_TYPE = 'message/rfc822';

interface MailRouteConfig {
  readonly acceptsMail?: boolean;
}

/** Lets a handler read a mail with `mailIn`. All other routes refuse it. */
export const AcceptsMail = () => RouteConfig({ acceptsMail: true } satisfies MailRouteConfig);

/** A mail goes to the storage as it arrives, so nothing of it is read before a handler asks. */
export const isRawMail = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase() === MAIL_TYPE;

export function acceptRawMail(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance();
  server.addContentTypeParser(MAIL_TYPE, (_request: FastifyRequest, _payload, done) => done(null, undefined));
  server.addHook('preValidation', async (request) => {
    const { acceptsMail } = request.routeOptions.config as MailRouteConfig;
    if (isRawMail(request) && !acceptsMail) throw unsupportedMediaType('application/json');
  });
}

/** The bytes of the mail, as they arrive. */
export async function* mailIn(request: FastifyRequest): AsyncGenerator<Uint8Array> {
  if (!isRawMail(request)) throw unsupportedMediaType(MAIL_TYPE);
  const arrived = expectUpload(request.raw);
  try {
    // Not destroyed when we stop: the connection has to bring the answer.
    for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array;
  } catch {
    throw new HttpException({ error: 'request_aborted', detail: 'The connection ended before the mail did.' }, 400);
  } finally {
    arrived();
    // A client reads the answer only after it has sent everything.
    request.raw.resume();
  }
}

const unsupportedMediaType = (type: string): HttpException =>
  new HttpException({ error: 'unsupported_media_type', detail: `Send the body as ${type}.` }, 415);
