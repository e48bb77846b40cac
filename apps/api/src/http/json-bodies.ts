import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * JSON under any of its names. Clients that always say "JSON" also say it when they send nothing, which is nothing
 * wrong. Prototype keys in a body are data of an attacker; they are dropped, and the rest is read.
 */
export function acceptJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('remove', 'remove');
  server.removeContentTypeParser(['application/json', 'text/plain']);
  server.addContentTypeParser(
    /^application\/(?:[\w.-]+\+)?json(?:;|$)/i,
    { parseAs: 'string' },
    (request: FastifyRequest, body: string, done) => {
      if (body.trim() === '') done(null, undefined);
      else void parse(request, body, done);
    },
  );
}
