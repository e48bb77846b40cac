import type { IncomingMessage } from 'node:http';
import { HttpException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cutSoon } from './client-error-handler.js';
import { isRawMail } from './raw-mail.js';
import type { SendProblem } from './problem.js';
import type { RefusalCounter } from './refusal-counter.js';

/** Bytes of unfinished bodies that a process holds: 64 of the largest. */
const MAX_BYTES = 64 * 1024 * 1024;

interface ArrivingBody {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  bytes: number;
}

/**
 * Bounds the memory of bodies that are still arriving, whoever sends them. At the bound, those that began first are
 * refused: an honest body arrives within milliseconds, so they are the slowest.
 */
export function limitBodyMemory(
  server: FastifyInstance,
  {
    sendProblem,
    refusals,
    maxBytes = MAX_BYTES,
  }: { sendProblem: SendProblem; refusals: RefusalCounter; maxBytes?: number },
): void {
  const arriving = new Map<IncomingMessage, ArrivingBody>();
  let total = 0;

  const forget = (raw: IncomingMessage): void => {
    total -= arriving.get(raw)?.bytes ?? 0;
    arriving.delete(raw);
  };
  const refuseSlowest = (): void => {
    const [slowest] = arriving;
    if (!slowest) return;
    const [raw, { request, reply }] = slowest;
    forget(raw);
    refusals.count('body_memory');
    sendProblem(tooManyBodies(), request, reply.header('connection', 'close'));
    cutSoon(raw.socket);
  };

  server.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw } = request;
    done();
    // Files and mails go to the storage as they arrive. A small body has arrived with its headers.
    if (raw.complete || request.isMultipart() || isRawMail(request)) return;
    const body: ArrivingBody = { request, reply, bytes: 0 };
    arriving.set(raw, body);
    raw.on('data', (chunk: Buffer) => {
      if (!arriving.has(raw)) return;
      body.bytes += chunk.length;
      total += chunk.length;
      if (total > maxBytes) refuseSlowest();
    });
    raw.once('end', () => forget(raw)).once('close', () => forget(raw));
    // Node does not tell that a request has closed if it was answered before its end.
    reply.raw.once('close', () => forget(raw));
  });
}

function tooManyBodies(): HttpException {
  const detail = 'Too many requests are arriving at once. Try again in a second.';
  return new HttpException({ error: 'overloaded', detail, headers: { 'retry-after': '1' } }, 503);
}
