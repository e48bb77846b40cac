import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Reads every media type of JSON. Some clients name the type of an empty body too, so an empty body is accepted.
 * Prototype keys come from attackers and are dropped.
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
