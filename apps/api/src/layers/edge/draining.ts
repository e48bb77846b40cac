import type { Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

const POLL_INTERVAL_MS = 50;

/** Node ends the connections that are idle when the server closes, but not those that become idle later. */
export function drainOnClose(fastify: FastifyInstance): void {
  const { server } = fastify;
  fastify.addHook('preClose', async () => {
    const timer = setInterval(() => server.closeIdleConnections(), POLL_INTERVAL_MS);
    server.once('close', () => clearInterval(timer));
  });
}

/** Ends each connection after its response, so that a proxy sends no more requests into it. */
export function endConnectionsAfterAnswers(server: Server): void {
  server.prependListener('request', (_request: unknown, response: ServerResponse) => {
    response.setHeader('connection', 'close');
  });
}
