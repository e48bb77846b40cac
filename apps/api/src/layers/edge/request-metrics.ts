import { type EventLoopWatch, Histogram, type Metrics } from '#libs/telemetry';
import type { FastifyInstance } from 'fastify';

/** Measures requests by the pattern of their route. The event-loop watch names the slow ones. */
export function measureRequests(
  server: FastifyInstance,
  { metrics, eventLoop }: { readonly metrics: Metrics; readonly eventLoop: EventLoopWatch },
): void {
  const durations = new Histogram({
    name: 'deskwire_http_request_seconds',
    help: 'Response time by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [metrics],
  });
  server.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const route = routeOptions?.url ?? 'unknown';
    durations.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    eventLoop.finished(`${method} ${route}`, reply.elapsedTime);
  });
}
