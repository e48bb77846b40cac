import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Settings } from '#libs/settings';
import { HttpException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unsentBytes } from './node-internals.js';
import type { SendProblem } from './problem.js';
import type { RefusalCounter } from './refusal-counter.js';
import { answerOnSocket, cutSoon } from './unrouted-requests.js';

type DeadlineSettings = Pick<Settings, 'HEADERS_TIMEOUT_MS' | 'BODY_TIMEOUT_MS' | 'STALL_TIMEOUT_MS'>;

/** A quarter of the shortest deadline, and at most a second. */
export const checkIntervalMs = ({ HEADERS_TIMEOUT_MS, BODY_TIMEOUT_MS, STALL_TIMEOUT_MS }: DeadlineSettings): number =>
  Math.min(1000, Math.ceil(Math.min(HEADERS_TIMEOUT_MS, BODY_TIMEOUT_MS, STALL_TIMEOUT_MS) / 4));

const uploads = new WeakSet<IncomingMessage>();

/** Lets an upload take as long as it makes progress. Returns a function to call at its end. */
export function expectUpload(request: IncomingMessage): () => void {
  uploads.add(request);
  return () => void uploads.delete(request);
}

/** Node’s limit for bodies would be the same for a message and for 500 MB of files, so it is off. */
export function enforceTransferDeadlines(
  server: FastifyInstance,
  { settings, sendProblem, refusals }: { settings: Settings; sendProblem: SendProblem; refusals: RefusalCounter },
): void {
  const limits = { bodyMs: settings.BODY_TIMEOUT_MS, stallMs: settings.STALL_TIMEOUT_MS };
  const connections = new Map<Socket, WatchedConnection>();

  server.server.on('connection', (socket) => {
    connections.set(socket, new WatchedConnection(socket, limits));
    socket.once('close', () => connections.delete(socket));
  });
  server.server.on('clientError', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT') refusals.count('slow_headers');
  });
  server.server.on('request', (request, response) => connections.get(request.socket)?.begin({ request, response }));
  server.addHook('onRequest', (request, reply, done) => {
    const connection = connections.get(request.raw.socket);
    if (connection) connection.routed = { request, reply };
    done();
  });

  const end = (connection: WatchedConnection, overdue: Overdue): void => {
    refusals.count(overdue);
    connections.delete(connection.socket);
    const { socket, exchange, routed } = connection;
    if (overdue === 'slow_reader' || !exchange || exchange.response.headersSent) return void socket.resetAndDestroy();
    cutSoon(socket);
    if (routed?.request.raw !== exchange.request) return answerOnSocket(socket, 'ERR_HTTP_REQUEST_TIMEOUT');
    const fault = new HttpException({ error: 'request_timeout', detail: 'The request took too long to arrive.' }, 408);
    sendProblem(fault, routed.request, routed.reply.header('connection', 'close'));
  };

  // A closing server waits for such connections, and no longer checks their deadline.
  server.addHook('preClose', async () => {
    for (const { socket, exchange } of connections.values()) if (!exchange) socket.destroy();
  });

  const timer = setInterval(() => {
    const now = performance.now();
    for (const connection of connections.values()) {
      const overdue = connection.overdue(now);
      if (overdue) end(connection, overdue);
    }
  }, checkIntervalMs(settings)).unref();
  server.server.on('close', () => clearInterval(timer));
}

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

type Overdue = 'slow_body' | 'slow_upload' | 'slow_reader';

/** `rest` follows a response that was sent before the body had arrived. */
type Arriving = 'nothing' | 'body' | 'upload' | 'rest';

/** A connection with its latest request. Earlier ones have arrived, even if their responses are still queued. */
class WatchedConnection {
  exchange: Exchange | undefined;
  routed: { readonly request: FastifyRequest; readonly reply: FastifyReply } | undefined;
  private arriving: Arriving = 'nothing';
  private since = 0;
  private readonly received: TransferProgress;
  private readonly sent: TransferProgress;

  constructor(
    readonly socket: Socket,
    private readonly limits: { readonly bodyMs: number; readonly stallMs: number },
  ) {
    this.received = new TransferProgress(limits.stallMs);
    this.sent = new TransferProgress(limits.stallMs);
  }

  begin(exchange: Exchange): void {
    this.exchange = exchange;
    this.arriving = 'nothing';
  }

  overdue(now: number): Overdue | undefined {
    if (this.readerStalls(now)) return 'slow_reader';
    const arriving = arrivingOf(this.exchange);
    if (arriving !== this.arriving) {
      this.arriving = arriving;
      this.since = now;
      this.received.restart(now, this.socket.bytesRead);
    }
    if (arriving === 'nothing') return undefined;
    if (arriving === 'upload') return this.uploadStalls(now) ? 'slow_upload' : undefined;
    return now - this.since >= this.limits.bodyMs ? 'slow_body' : undefined;
  }

  /** Bytes that have arrived but are unread wait for the storage, not for the client. */
  private uploadStalls(now: number): boolean {
    const { bytesRead } = this.socket;
    if (this.exchange!.request.readableLength > 0) this.received.restart(now, bytesRead);
    return this.received.isStalled(now, bytesRead);
  }

  private readerStalls(now: number): boolean {
    const taken = this.socket.bytesWritten - unsentBytes(this.socket);
    if (this.socket.writableLength === 0) this.sent.restart(now, taken);
    return this.sent.isStalled(now, taken);
  }
}

function arrivingOf(exchange: Exchange | undefined): Arriving {
  if (!exchange || exchange.request.complete) return 'nothing';
  if (exchange.response.writableEnded) return 'rest';
  return uploads.has(exchange.request) ? 'upload' : 'body';
}

/** Slower than any network that people work over. */
const MIN_BYTES_PER_SECOND = 1000;

/** Detects a transfer that moves too few bytes in a window of time. */
export class TransferProgress {
  private since = 0;
  private from = 0;

  constructor(private readonly windowMs: number) {}

  /** Call it when a pause is not the fault of the other side. */
  restart(now: number, moved: number): void {
    this.since = now;
    this.from = moved;
  }

  isStalled(now: number, moved: number): boolean {
    if (now - this.since < this.windowMs) return false;
    const enough = moved - this.from >= (this.windowMs / 1000) * MIN_BYTES_PER_SECOND;
    this.restart(now, moved);
    return !enough;
  }
}
