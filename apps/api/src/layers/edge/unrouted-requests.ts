import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { uuidAt } from '#libs/database';
import { HttpException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { type HttpProblem, problemBody } from './problem.js';

/** The responses of a connection that have not ended. The first is being sent. */
const openResponses = new WeakMap<Socket, ServerResponse[]>();

/** Responds to requests that Node would reject with a bare status or not at all. */
export function answerUnroutedRequests(server: FastifyInstance): void {
  server.server.prependListener('request', trackResponse);
  server.server.on('connect', (_request: IncomingMessage, socket: Socket) => answerOnSocket(socket, 'CONNECT'));
  server.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) =>
    answerUnmetExpectation(response),
  );
  server.addHook('onRequest', (request, _reply, done) =>
    done(request.raw.httpVersion === '1.1' && request.headers.host === undefined ? hostMissing() : undefined),
  );
}

function trackResponse({ socket }: IncomingMessage, response: ServerResponse): void {
  const open = openResponses.get(socket) ?? [];
  openResponses.set(socket, open);
  open.push(response);
  response.once('close', () => open.splice(open.indexOf(response), 1));
}

function answerUnmetExpectation(response: ServerResponse): void {
  const detail = 'The only supported expectation is 100-continue.';
  const fault = { status: 417, error: 'expectation_failed', detail };
  const body = problemBody(fault, { path: '/', id: uuidAt(new Date()) });
  const headers = { 'content-type': 'application/problem+json; charset=utf-8', 'x-request-id': body.request_id };
  response.writeHead(body.status, { ...headers, connection: 'close' }).end(JSON.stringify(body));
}

const hostMissing = (): HttpException =>
  new HttpException({ error: 'malformed_request', detail: 'HTTP/1.1 requests must have a Host header.' }, 400);

const CLIENT_ERROR_PROBLEMS: Readonly<Record<string, HttpProblem>> = {
  HPE_HEADER_OVERFLOW: { status: 431, error: 'headers_too_large', detail: 'The request’s headers are too large.' },
  CONNECT: { status: 405, error: 'method_not_allowed', detail: 'This is no proxy.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: 'request_timeout', detail: 'The request took too long to arrive.' },
};

const MALFORMED: HttpProblem = { status: 400, error: 'malformed_request', detail: 'The request is not valid HTTP.' };

const CUT_AFTER_MS = 1000;

/** Bytes that are read of a refused request. More is a flood. */
const MAX_DISCARDED_BYTES = 1024 * 1024;

/** Gives the client a second to read the response, because it may never close its side. */
export const cutSoon = (socket: Socket): void => void setTimeout(() => socket.destroy(), CUT_AFTER_MS).unref();

/** `rawPacket` has the bytes being parsed. Fastify declares another type. */
export function handleClientError(
  { code = '', rawPacket }: { readonly code?: string; readonly rawPacket?: unknown },
  socket: Socket,
): void {
  if (code === 'ECONNRESET') socket.destroy();
  else answerOnSocket(socket, code, rawPacket);
}

/** Writes to the socket, because a request that is not valid HTTP has no reply. */
export function answerOnSocket(socket: Socket, code: string, read?: unknown): void {
  // Without a listener, a reset would end the process.
  socket.on('error', () => socket.destroy());
  const current = openResponses.get(socket)?.[0];
  // The client would read the problem as part of the current response.
  if (!socket.writable || current?.headersSent) return void socket.destroy();
  cutSoon(socket);
  discardRest(socket);
  const fault = CLIENT_ERROR_PROBLEMS[code] ?? MALFORMED;
  const body = problemBody(fault, { path: '/', id: uuidAt(new Date()) });
  // The client ended the connection within the headers.
  const text = code === 'HPE_INVALID_EOF_STATE' ? '' : JSON.stringify(body);
  // A request that fails in its first lines has no method yet. A response to HEAD has no body.
  const isHead = current?.req.method === 'HEAD' || (Buffer.isBuffer(read) && read.toString('latin1', 0, 5) === 'HEAD ');
  socket.end(
    `HTTP/1.1 ${fault.status} ${body.title}\r\ncontent-type: application/problem+json; charset=utf-8\r\n` +
      `x-request-id: ${body.request_id}\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n` +
      (isHead ? '' : text),
  );
}

/** A client that is still sending would lose the response to a reset. The parser would report its error again. */
function discardRest(socket: Socket): void {
  let left = MAX_DISCARDED_BYTES;
  socket.removeAllListeners('data').on('data', ({ length }: Buffer) => {
    left -= length;
    if (left < 0) socket.destroy();
  });
}
