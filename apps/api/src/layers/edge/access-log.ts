import { type Logger, traceIdOf } from '#libs/telemetry';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PROBES } from './probes.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** For the access log only. `caller` and `session` decide what a request may do. */
    actor: { readonly accountId?: string; readonly agentId?: string; readonly applicationId?: string | null } | null;
  }
}

/** Logs the pattern of the route, because a URL may hold a token or an email address. Probes are logged at debug level. */
export function logAccess(server: FastifyInstance, logger: Logger): void {
  server.decorateRequest('actor', null);
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions?.url ?? 'unknown';
    const { method } = request;
    const answer = { method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    const level = PROBES.has(route) ? 'debug' : 'info';
    const ids = { request_id: request.id, trace_id: traceIdOf(request.headers['traceparent']) };
    logger[level]({ ...ids, ...answer, ...callerOf(request) }, 'request');
  });
}

function callerOf({ ip, actor }: FastifyRequest) {
  if (!actor) return { client: ip };
  const { accountId, agentId, applicationId } = actor;
  return { client: ip, account_id: accountId, agent_id: agentId, application_id: applicationId ?? undefined };
}
