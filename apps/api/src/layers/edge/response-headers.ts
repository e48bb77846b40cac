import { type Clock, uuidAt } from '#libs/database';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Keeps a client’s id only if it is safe in a header and in a log line. */
const SAFE_REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

export function addRequestIdHeader(server: FastifyInstance, clock: Clock): void {
  server.setGenReqId(({ headers: { 'x-request-id': given } }) =>
    typeof given === 'string' && SAFE_REQUEST_ID.test(given) ? given : uuidAt(clock.now()),
  );
  server.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
  });
}

const HSTS_ONE_YEAR = 'max-age=31536000';

/** A browser that has used https never falls back to http. */
export function requireHttps(server: FastifyInstance, publicUrl: string): void {
  if (!publicUrl.startsWith('https:')) return;
  server.addHook('onRequest', async (_request, reply) => {
    void reply.header('strict-transport-security', HSTS_ONE_YEAR);
  });
}

const EXPOSED_HEADERS =
  'Deskwire-Ignored, ETag, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id, Idempotency-Replayed';
const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, MCP-Protocol-Version, Prefer, X-Request-Id';
const PREFLIGHT_MAX_AGE_SECONDS = 86_400;

/** Any site may call these, which accept no cookies. So credentials are never allowed. */
const CROSS_ORIGIN_PATHS =
  /^\/(v1\/|downloads\/|openapi\.json|oauth\/(token|revoke|userinfo)(?![\w-])|\.well-known\/(oauth-|openid-configuration))/;
/** Public caches keep these, so the header does not depend on the request. */
const CACHED_PATHS = /^\/(openapi\.json|\.well-known\/)/;

const isCrossOrigin = ({ url, headers }: FastifyRequest): boolean =>
  CROSS_ORIGIN_PATHS.test(url) && (headers.origin !== undefined || CACHED_PATHS.test(url));

/** Comes before the limits, so that a page can read their refusals. */
export function allowCrossOrigin(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    if (isCrossOrigin(request))
      void reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED_HEADERS);
  });
}

export function answerPreflights(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'];
    if (!isPreflight || !isCrossOrigin(request)) return undefined;
    return reply
      .status(204)
      .header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', PREFLIGHT_MAX_AGE_SECONDS)
      .send();
  });
}
