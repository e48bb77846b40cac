import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { uuidAt } from '#libs/database';
import { type HttpProblem, problemBody } from './problem.js';

const CLIENT_ERROR_PROBLEMS: Readonly<Record<string, HttpProblem>> = {
  HPE_HEADER_OVERFLOW: { status: 431, error: 'headers_too_large', detail: 'The request’s headers are too large.' },
  CONNECT: { status: 405, error: 'method_not_allowed', detail: 'This is no proxy.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: 'request_timeout', detail: 'The request took too long to arrive.' },
};

const MALFORMED_REQUEST: HttpProblem = {
  status: 400,
  error: 'malformed_request',
  detail: 'The request is not valid HTTP.',
};

/** A client that reads its answer has this long before the connection is cut. */
const LAST_WORDS_MS = 1000;

/** A client that never closes its side would keep the connection for ever. */
export const cutSoon = (socket: Socket): void => void setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();

export interface ParserError {
  readonly code?: string;
  /** The bytes that the parser was reading, although Fastify declares something else. */
  readonly rawPacket?: unknown;
}

/** For errors of Node's HTTP parser, and for headers that do not arrive in time. */
export function handleClientError({ code = '', rawPacket }: ParserError, socket: Socket): void {
  if (code === 'ECONNRESET') socket.destroy();
  else answerOnSocket(socket, code, rawPacket);
}

/** A request that is not valid HTTP has no route and no reply, so the answer is written to the socket. */
export function answerOnSocket(socket: Socket, code: string, read?: unknown): void {
  // Node may have let go of the socket by now, and a reset that nobody listens to would end the process.
  socket.on('error', () => socket.destroy());
  if (!socket.writable || hasBegunToAnswer(socket)) return void socket.destroy();
  cutSoon(socket);
  const fault = CLIENT_ERROR_PROBLEMS[code] ?? MALFORMED_REQUEST;
  const body = problemBody(fault, { path: '/', id: uuidAt(new Date()) });
  // Whoever ends the connection within its headers reads no body, and may have asked by HEAD.
  const text = code === 'HPE_INVALID_EOF_STATE' ? '' : JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${fault.status} ${body.title}\r\ncontent-type: application/problem+json; charset=utf-8\r\n` +
      `x-request-id: ${body.request_id}\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n` +
      (isAskedByHead(socket, read) ? '' : text),
  );
}

/** In the middle of an answer, the client would read another one as part of it. Node's own handler looks here too. */
const hasBegunToAnswer = (socket: Socket): boolean => openAnswer(socket)?.headersSent ?? false;

/** Its client takes a body for the start of another answer. A request that is broken in its first lines has no method yet. */
const isAskedByHead = (socket: Socket, read: unknown): boolean =>
  openAnswer(socket)?.req.method === 'HEAD' || (Buffer.isBuffer(read) && read.subarray(0, 5).equals(HEAD));

const HEAD = Buffer.from('HEAD ');

function openAnswer(socket: Socket): ServerResponse | null | undefined {
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null };
  return answer;
}
