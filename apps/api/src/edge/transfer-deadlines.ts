import type { Socket } from 'node:net';
import type { Settings } from '#libs/settings';
import { HttpException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { answerOnSocket, cutSoon } from './client-error-handler.js';
import type { SendProblem } from './problem.js';
import type { RefusalCounter } from './refusal-counter.js';
import { type Overdue, WatchedConnection } from './watched-connection.js';

type DeadlineSettings = Pick<Settings, 'HEADERS_TIMEOUT_MS' | 'BODY_TIMEOUT_MS' | 'STALL_TIMEOUT_MS'>;

/** How often deadlines are looked at: a fraction of the shortest, at most a second. */
export const lookEveryMs = ({ HEADERS_TIMEOUT_MS, BODY_TIMEOUT_MS, STALL_TIMEOUT_MS }: DeadlineSettings): number =>
  Math.min(1000, Math.ceil(Math.min(HEADERS_TIMEOUT_MS, BODY_TIMEOUT_MS, STALL_TIMEOUT_MS) / 4));

/**
 * Ends connections whose client does not send a body, or read an answer, in time. Node does this for headers and for
 * idle connections. Its deadline for bodies is the same for a message and for 500 MB of files, so it stays off.
 */
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
    if (connection) connection.open = { request, reply };
    done();
  });

  const end = (connection: WatchedConnection, overdue: Overdue): void => {
    refusals.count(overdue);
    connections.delete(connection.socket);
    const { socket, exchange } = connection;
    if (overdue === 'slow_reader' || !exchange || exchange.response.headersSent) return void socket.resetAndDestroy();
    cutSoon(socket);
    const { open } = connection;
    if (open?.request.raw !== exchange.request) return answerOnSocket(socket, 'ERR_HTTP_REQUEST_TIMEOUT');
    sendProblem(requestTimeout(), open.request, open.reply.header('connection', 'close'));
  };

  // Node waits for connections on which nothing was asked yet, and no longer looks at their deadline.
  server.addHook('preClose', async () => {
    for (const { socket, exchange } of connections.values()) if (!exchange) socket.destroy();
  });

  const timer = setInterval(() => {
    const now = performance.now();
    for (const connection of connections.values()) {
      const overdue = connection.overdue(now);
      if (overdue) end(connection, overdue);
    }
  }, lookEveryMs(settings)).unref();
  server.server.on('close', () => clearInterval(timer));
}

const requestTimeout = (): HttpException =>
  new HttpException({ error: 'request_timeout', detail: 'The request took too long to arrive.' }, 408);
