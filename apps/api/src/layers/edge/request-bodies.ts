import { type FastifyInstance, type FastifyRequest, errorCodes } from 'fastify';
import { parse as parseQuery } from 'qs';

const UNTYPED = 'application/vnd.deskwire.untyped';

type Parser = (request: FastifyRequest, body: string, done: (error: Error | null, body?: unknown) => void) => void;

const looksLikeJson = (body: string): boolean => /^[\s\uFEFF]{0,100}[{[]/.test(body);

/** Drops prototype keys, which only attackers send. */
const jsonParserOf = (server: FastifyInstance): Parser => server.getDefaultJsonParser('remove', 'remove') as Parser;

/** Some clients send a Content-Type with an empty body. */
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

/** Sent by `fetch` and `HTTP::Tiny` for a plain string, which is parsed if it looks like JSON. */
const DEFAULT_TYPES = ['text/plain', 'application/octet-stream'];

function acceptUntyped(server: FastifyInstance, parse: Parser): void {
  server.addHook('onRequest', async ({ headers }) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (hasBody && headers['content-type'] === undefined) headers['content-type'] = UNTYPED;
  });
  server.addContentTypeParser(
    [UNTYPED, ...DEFAULT_TYPES],
    { parseAs: 'string' },
    (request: FastifyRequest, body: string, done) => {
      if (looksLikeJson(body)) parse(request, body, done);
      else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(''));
    },
  );
}

const PARSER_OPTIONS = { depth: 4, parameterLimit: 1000, arrayLimit: 100, plainObjects: true, strictDepth: false };

/** `to[email]=` is nested, `tags[]=` is a list, and an empty field is absent. */
export function acceptForms(server: FastifyInstance): void {
  const parseJson = jsonParserOf(server);
  // Some clients send the parameters of a GET as a form.
  server.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  server.addHook('preValidation', async (request) => {
    if (request.method === 'GET' && typeof request.body === 'object')
      Object.assign(request.query as object, request.body);
  });
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    // Some clients label JSON as a form.
    if (looksLikeJson(String(body))) parseJson(request, String(body), done);
    else done(null, parseParameters(String(body)));
  });
}

export const parseParameters = (text: string): Record<string, unknown> =>
  withoutEmpty(parseQuery(withSpaces(text), PARSER_OPTIONS)) as Record<string, unknown>;

const PLUS = 0x2b;
const SPACE = 0x20;

/** The parser would take half a second for a body full of plus signs. */
function withSpaces(text: string): string {
  if (!text.includes('+')) return text;
  const bytes = Buffer.from(text);
  for (let place = 0; place < bytes.length; place++) if (bytes[place] === PLUS) bytes[place] = SPACE;
  return bytes.toString();
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item)).filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return value === '' ? undefined : value;
  const kept = Object.entries(value)
    .map(([name, part]) => [name, withoutEmpty(part)] as const)
    .filter(([name, part]) => part !== undefined && name !== '__proto__');
  return Object.fromEntries(kept);
}
