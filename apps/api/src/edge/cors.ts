import type { FastifyInstance } from 'fastify';

const EXPOSED_HEADERS =
  'Deskwire-Ignored, ETag, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Idempotency-Replayed';
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, X-Request-Id';
const PREFLIGHT_MAX_AGE_SECONDS = 86_400;

/**
 * Any page may call `/v1`, because only a bearer token opens it: there is no cookie that a foreign page could borrow.
 * Credentials are therefore never allowed along.
 */
export function allowCrossOrigin(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    if (!request.headers.origin || !/^\/(v1\/|downloads\/|openapi\.json)/.test(request.url)) return undefined;
    void reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED_HEADERS);
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return undefined;
    return reply
      .status(204)
      .header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', PREFLIGHT_MAX_AGE_SECONDS)
      .send();
  });
}
