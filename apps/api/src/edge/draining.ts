import type { Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

const POLL_INTERVAL_MS = 50;

/** Node ends only connections that are idle when the server closes, not those that become idle later. */
export function drainOnClose(fastify: FastifyInstance): void {
  const { server } = fastify;
  fastify.addHook('preClose', async () => {
    const timer = setInterval(() => server.closeIdleConnections(), POLL_INTERVAL_MS);
    server.once('close', () => clearInterval(timer));
  });
}

/** A proxy sends no more requests into the connection. */
export function endConnectionsAfterAnswers(server: Server): void {
  server.prependListener('request', (_request: unknown, response: ServerResponse) => {
    response.setHeader('connection', 'close');
  });
}
