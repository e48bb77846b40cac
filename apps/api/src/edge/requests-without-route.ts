import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { uuidAt } from '#libs/database';
import { HttpException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { answerOnSocket } from './client-error-handler.js';
import { type HttpProblem, problemBody } from './problem.js';

/** Requests that Node answers by itself, with a bare status or not at all: here they get a problem like all others. */
export function answerRequestsWithoutRoute(server: FastifyInstance): void {
  server.server.on('connect', (_request: IncomingMessage, socket: Socket) => answerOnSocket(socket, 'CONNECT'));
  server.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) =>
    answerUnmetExpectation(response),
  );
  server.addHook('onRequest', (request, _reply, done) =>
    done(request.raw.httpVersion === '1.1' && request.headers.host === undefined ? hostMissing() : undefined),
  );
}

const UNMET_EXPECTATION: HttpProblem = {
  status: 417,
  error: 'expectation_failed',
  detail: 'The only expectation that is met here is 100-continue.',
};

function answerUnmetExpectation(response: ServerResponse): void {
  const body = problemBody(UNMET_EXPECTATION, { path: '/', id: uuidAt(new Date()) });
  const headers = { 'content-type': 'application/problem+json; charset=utf-8', 'x-request-id': body.request_id };
  response.writeHead(body.status, { ...headers, connection: 'close' }).end(JSON.stringify(body));
}

const hostMissing = (): HttpException =>
  new HttpException({ error: 'malformed_request', detail: 'A request of HTTP/1.1 has a Host header.' }, 400);
