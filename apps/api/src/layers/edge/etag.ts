import { entityTagOf } from '#libs/payloads';
import type { FastifyInstance } from 'fastify';

export function addEtags(server: FastifyInstance): void {
  server.addHook('onSend', async (request, reply, payload) => {
    if (!request.url.startsWith('/v1/') || typeof payload !== 'string') return payload;
    if (reply.statusCode > 201 || reply.getHeader('cache-control') === 'no-store') return payload;
    const etag = entityTagOf(payload);
    void reply.header('etag', etag);
    if (request.method !== 'GET' && request.method !== 'HEAD') return payload;
    void reply.header('cache-control', 'private, no-cache').header('vary', 'authorization');
    if (!etagMatches(request.headers['if-none-match'], etag)) return payload;
    void reply.status(304).removeHeader('content-type').removeHeader('content-length');
    // Fastify removes the body of a HEAD response itself, and fails without one.
    return request.method === 'HEAD' ? payload : null;
  });
}

/** Weak comparison (RFC 9110 section 13.1.2). */
export function etagMatches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => ['*', etag].includes(part.trim().replace(/^W\//, '')));
}
