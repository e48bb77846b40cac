import type { IncomingMessage } from 'node:http';
import { type Clock, uuidAt } from '#libs/database';
import type { FastifyInstance } from 'fastify';

/** The client's own id is kept if it is safe in a header and in a log line. */
const SAFE_REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

export function requestIdOf(request: Pick<IncomingMessage, 'headers'>, now: Date): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SAFE_REQUEST_ID.test(given) ? given : uuidAt(now);
}

export function addRequestIdHeader(server: FastifyInstance, clock: Clock): void {
  server.setGenReqId((request) => requestIdOf(request, clock.now()));
  server.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
  });
}
