import { type FastifyInstance, type FastifyRequest, errorCodes } from 'fastify';

/** Stands in for the media type of a body that came with none. */
const UNTYPED = 'application/vnd.deskwire.untyped';

type Parsed = (error: Error | null, body?: unknown) => void;
type Parser = (request: FastifyRequest, body: string, done: Parsed) => void;

export const isJson = (body: string): boolean => /^[\s\uFEFF]{0,100}[{[]/.test(body);

/** Prototype keys come from attackers and are dropped. */
export const jsonParserOf = (server: FastifyInstance): Parser =>
  server.getDefaultJsonParser('remove', 'remove') as Parser;

/** Reads every media type of JSON. Some clients name the type of an empty body too, so an empty body is accepted. */
export function acceptJson(server: FastifyInstance): void {
  const parse = jsonParserOf(server);
  server.removeContentTypeParser(['application/json', 'text/plain']);
  server.addContentTypeParser(
    /^application\/(?:[\w.-]+\+)?json(?:;|$)/i,
    { parseAs: 'string' },
    (request: FastifyRequest, body: string, done) => {
      if (body.trim() === '') done(null, undefined);
      else parse(request, body, done);
    },
  );
  acceptUntyped(server, parse);
}

/** What clients say who only handed over a string: `fetch` of JavaScript, and so what orval generates, and `HTTP::Tiny`. */
const UNMEANT = ['text/plain', 'application/octet-stream'];

/** Some clients say nothing of the type, or nothing that they mean. What looks like JSON is. */
function acceptUntyped(server: FastifyInstance, parse: Parser): void {
  server.addHook('onRequest', async ({ headers }) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (hasBody && headers['content-type'] === undefined) headers['content-type'] = UNTYPED;
  });
  server.addContentTypeParser(
    [UNTYPED, ...UNMEANT],
    { parseAs: 'string' },
    (request: FastifyRequest, body: string, done) => {
      if (isJson(body)) parse(request, body, done);
      else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(''));
    },
  );
}
