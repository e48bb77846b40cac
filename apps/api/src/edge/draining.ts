import type { Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

const POLL_INTERVAL_MS = 50;

/**
 * A closing server ends only the connections that are idle at that moment. Those that become idle later would keep the
 * process alive until the client closes them.
 */
export function drainOnClose(fastify: FastifyInstance): void {
  const { server } = fastify;
  fastify.addHook('preClose', async () => {
    const timer = setInterval(() => server.closeIdleConnections(), POLL_INTERVAL_MS);
    server.once('close', () => clearInterval(timer));
  });
}

/** Makes each response the last of its connection, so that a proxy sends no more requests into it. */
export function endConnectionsAfterAnswers(server: Server): void {
  server.prependListener('request', (_request: unknown, response: ServerResponse) => {
    response.setHeader('connection', 'close');
  });
}
