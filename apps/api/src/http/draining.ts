import type { FastifyInstance } from 'fastify';

const POLL_INTERVAL_MS = 50;

/**
 * Node ends the connections that wait for a next request when it closes, but not those that begin to wait while what
 * was under way is answered: they would keep the process until the other side tires.
 */
export function drainOnClose(fastify: FastifyInstance): void {
  const { server } = fastify;
  fastify.addHook('preClose', async () => {
    const timer = setInterval(() => server.closeIdleConnections(), POLL_INTERVAL_MS);
    server.once('close', () => clearInterval(timer));
  });
}
