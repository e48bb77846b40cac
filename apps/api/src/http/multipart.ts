import { HttpException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Of a sender that has stopped sending, nothing more is expected. */
const IDLE_TIMEOUT_MS = 60_000;

/** While files come in, a sender that falls silent is not waited for. Until the function that it returns is called. */
export function limitIdleTime({ raw }: FastifyRequest): () => void {
  const { socket } = raw as { socket: Partial<typeof raw.socket> };
  // A request put in without a connection has nothing to wait on.
  const end = (): unknown => raw.destroy();
  const waitAtMost = (ms: number): void => void socket.setTimeout?.(ms, end);
  waitAtMost(IDLE_TIMEOUT_MS);
  return () => waitAtMost(0);
}

/** Whatever the parser throws means one of a few things. */
export function multipartError({ code }: { code?: string }): HttpException {
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT')
    return new HttpException({ error: 'too_many_fields', detail: 'The body has too many parts.' }, 413);
  return new HttpException({ error: 'malformed_body', detail: 'The body is not valid multipart/form-data.' }, 400);
}
