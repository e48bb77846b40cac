import { type EventLoopWatch, Histogram, type Logger, type Metrics } from '#libs/telemetry';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** For the access log only. `caller` and `session` decide what a request may do. */
    actor: { readonly accountId?: string; readonly agentId?: string; readonly applicationId?: string | null } | null;
  }
}

/** Orchestrators poll these every few seconds, so they are logged at debug level. */
export const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/** Logs the pattern of the route, because a URL may hold a token or an email address. */
export function logAccess(
  server: FastifyInstance,
  { logger, metrics, eventLoop }: { logger: Logger; metrics: Metrics; eventLoop: EventLoopWatch },
): void {
  const durations = new Histogram({
    name: 'deskwire_http_request_seconds',
    help: 'Response time by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [metrics],
  });
  server.decorateRequest('actor', null);
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions?.url ?? 'unknown';
    const { method } = request;
    durations.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    eventLoop.finished(`${method} ${route}`, reply.elapsedTime);
    const answer = { method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    const level = PROBES.has(route) ? 'debug' : 'info';
    logger[level]({ request_id: request.id, ...answer, ...callerOf(request) }, 'request');
  });
}

function callerOf({ ip, actor }: FastifyRequest) {
  if (!actor) return { client: ip };
  const { accountId, agentId, applicationId } = actor;
  return { client: ip, account_id: accountId, agent_id: agentId, application_id: applicationId ?? undefined };
}
