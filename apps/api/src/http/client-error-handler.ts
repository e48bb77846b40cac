import type { Socket } from 'node:net';
import { uuidAt } from '#libs/database';
import { type HttpProblem, problemBody } from './problem.js';

const CLIENT_ERROR_PROBLEMS: Readonly<Record<string, HttpProblem>> = {
  HPE_HEADER_OVERFLOW: { status: 431, error: 'headers_too_large', detail: 'The request’s headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: 'request_timeout', detail: 'The request took too long to arrive.' },
};

const MALFORMED_REQUEST: HttpProblem = {
  status: 400,
  error: 'malformed_request',
  detail: 'The request is not valid HTTP.',
};

/** A request that is not valid HTTP has no route and no reply, so the answer is written to the socket. */
export function handleClientError(error: { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const fault = CLIENT_ERROR_PROBLEMS[error.code ?? ''] ?? MALFORMED_REQUEST;
  const body = problemBody(fault, { path: '/', id: uuidAt(new Date()) });
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${fault.status} ${body.title}\r\ncontent-type: application/problem+json; charset=utf-8\r\n` +
      `x-request-id: ${body.request_id}\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}
