import { HttpException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** A client that sends nothing for this long is gone. */
const IDLE_TIMEOUT_MS = 60_000;

/** Ends the connection of a client that falls silent. Call the returned function when the files have arrived. */
export function limitIdleTime({ raw }: FastifyRequest): () => void {
  const { socket } = raw as { socket: Partial<typeof raw.socket> };
  // A request that a test injects has no socket.
  const end = (): unknown => raw.destroy();
  const waitAtMost = (ms: number): void => void socket.setTimeout?.(ms, end);
  waitAtMost(IDLE_TIMEOUT_MS);
  return () => waitAtMost(0);
}

/** The problem that an error of the parser means. */
export function multipartError({ code }: { code?: string }): HttpException {
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT')
    return new HttpException({ error: 'too_many_fields', detail: 'The body has too many parts.' }, 413);
  return new HttpException({ error: 'malformed_body', detail: 'The body is not valid multipart/form-data.' }, 400);
}
