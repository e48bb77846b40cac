import { type EventLoopWatch, Histogram, type Logger, type Metrics } from '#libs/telemetry';
import type { FastifyInstance } from 'fastify';

/** Logs and measures each request under the route's pattern, because the URL may hold a token or an e-mail address. */
export function logAccess(
  server: FastifyInstance,
  { logger, metrics, eventLoop }: { logger: Logger; metrics: Metrics; eventLoop: EventLoopWatch },
): void {
  const durations = new Histogram({
    name: 'deskwire_http_request_seconds',
    help: 'Time to answer, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [metrics],
  });
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions?.url ?? 'unknown';
    const { method } = request;
    durations.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    eventLoop.finished(`${method} ${route}`, reply.elapsedTime);
    logger.info(
      { requestId: request.id, method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    );
  });
}
