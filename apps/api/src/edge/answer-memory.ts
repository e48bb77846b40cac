import type { FastifyInstance, FastifyReply } from 'fastify';
import { HttpException } from '@nestjs/common';
import { toHttpProblem } from './error-mapping.js';
import { problemBody } from './problem.js';
import type { RefusalCounter } from './refusal-counter.js';

/** Bytes of large answers that a process holds for clients that have not read them. */
const MAX_BYTES = 64 * 1024 * 1024;
/** A socket takes as much at once. */
const LARGE_BYTES = 64 * 1024;

/** Bounds the memory of answers that are not read yet: at the bound, a large one is refused instead of held. */
export function limitAnswerMemory(
  server: FastifyInstance,
  { refusals, maxBytes = MAX_BYTES }: { refusals: RefusalCounter; maxBytes?: number },
): void {
  let held = 0;

  server.addHook('onSend', (request, reply, payload, done) => {
    const bytes = sizeOf(payload);
    if (bytes < LARGE_BYTES) return done(null, payload);
    // One is always sent, or what is larger than the bound could never be read.
    if (held > 0 && held + bytes > maxBytes) {
      refusals.count('answer_memory');
      return done(null, refuse(reply, { path: request.url, id: request.id }));
    }
    held += bytes;
    reply.raw.once('close', () => (held -= bytes));
    done(null, payload);
  });
}

/** A short text is not measured: it is small, however many bytes a character takes. */
function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length < LARGE_BYTES / 3 ? 0 : Buffer.byteLength(payload);
  return Buffer.isBuffer(payload) ? payload.length : 0;
}

function refuse(reply: FastifyReply, request: { path: string; id: string }): string {
  for (const name of ['etag', 'content-length', 'content-encoding', 'link']) void reply.removeHeader(name);
  void reply
    .status(503)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('retry-after', '1');
  return JSON.stringify(problemBody(toHttpProblem(tooManyAnswers()), request));
}

function tooManyAnswers(): HttpException {
  const detail = 'Too many large answers are waiting to be read. Try again in a second.';
  return new HttpException({ error: 'overloaded', detail }, 503);
}
