import type { FastifyInstance } from 'fastify';

const POLL_INTERVAL_MS = 50;

/**
 * When a server closes, Node ends the connections that are idle at that moment. Those that become idle later would keep
 * the process alive until the client closes them.
 */
export function drainOnClose(fastify: FastifyInstance): void {
  const { server } = fastify;
  fastify.addHook('preClose', async () => {
    const timer = setInterval(() => server.closeIdleConnections(), POLL_INTERVAL_MS);
    server.once('close', () => clearInterval(timer));
  });
}
