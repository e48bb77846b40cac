import type { IncomingMessage } from 'node:http';
import { HttpException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SendProblem } from './problem.js';
import { isRawMail } from './raw-mail.js';
import type { RefusalCounter } from './refusal-counter.js';
import { cutSoon } from './unrouted-requests.js';

/** Bytes of unfinished bodies, and of unread responses, that a process holds. */
const MAX_BYTES = 64 * 1024 * 1024;
const LARGE_BYTES = 64 * 1024;

interface ArrivingBody {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  bytes: number;
}

/** At the bound, refuses the oldest body: a normal one arrives within milliseconds. */
export function limitBodyMemory(
  server: FastifyInstance,
  { sendProblem, refusals }: { sendProblem: SendProblem; refusals: RefusalCounter },
): void {
  const arriving = new Map<IncomingMessage, ArrivingBody>();
  let total = 0;

  const forget = (raw: IncomingMessage): void => {
    total -= arriving.get(raw)?.bytes ?? 0;
    arriving.delete(raw);
  };
  const refuseOldest = (): void => {
    const [oldest] = arriving;
    if (!oldest) return;
    const [raw, { request, reply }] = oldest;
    forget(raw);
    refusals.count('body_memory');
    sendProblem(overloaded('requests are arriving at once'), request, reply.header('connection', 'close'));
    cutSoon(raw.socket);
  };

  server.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw } = request;
    done();
    // Files and emails are streamed. A small body has arrived with its headers.
    if (raw.complete || request.isMultipart() || isRawMail(request)) return;
    const body: ArrivingBody = { request, reply, bytes: 0 };
    arriving.set(raw, body);
    raw.on('data', (chunk: Buffer) => {
      if (!arriving.has(raw)) return;
      body.bytes += chunk.length;
      total += chunk.length;
      if (total > MAX_BYTES) refuseOldest();
    });
    raw.once('end', () => forget(raw)).once('close', () => forget(raw));
    // A request that was answered before its end emits no 'close'.
    reply.raw.once('close', () => forget(raw));
  });
}

function overloaded(what: string): HttpException {
  const detail = `Too many ${what}. Try again in a second.`;
  return new HttpException({ error: 'overloaded', detail, headers: { 'retry-after': '1' } }, 503);
}

export function limitResponseMemory(
  server: FastifyInstance,
  { refusals, maxBytes = MAX_BYTES }: { refusals: RefusalCounter; maxBytes?: number },
): void {
  let held = 0;

  server.addHook('onSend', (_request, reply, payload, done) => {
    const bytes = sizeOf(payload);
    if (bytes < LARGE_BYTES) return done(null, payload);
    // Otherwise, a response above the bound could never be read.
    if (held > 0 && held + bytes > maxBytes) {
      refusals.count('answer_memory');
      for (const name of ['etag', 'content-encoding', 'link']) void reply.removeHeader(name);
      return done(overloaded('large responses are waiting to be read'));
    }
    held += bytes;
    reply.raw.once('close', () => (held -= bytes));
    done(null, payload);
  });
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length < LARGE_BYTES / 3 ? 0 : Buffer.byteLength(payload);
  return Buffer.isBuffer(payload) ? payload.length : 0;
}
