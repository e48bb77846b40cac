import type { FastifyInstance } from 'fastify';
import { parse } from 'qs';
import { isJson, jsonParserOf } from './json-bodies.js';

/** No form of ours is deeper or longer. */
const LIMITS = { depth: 4, parameterLimit: 1000, arrayLimit: 100 } as const;

/** Reads a form like the same JSON: `to[email]=` is nested, `tags[]=` is a list, and an empty field is absent. */
export function acceptForms(server: FastifyInstance): void {
  // Some clients label their JSON as a form.
  const parseJson = jsonParserOf(server);
  // Some clients send the parameters of a GET as a form. Fastify has to be told that a GET can have a body.
  server.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  server.addHook('preValidation', async (request) => {
    if (request.method === 'GET' && typeof request.body === 'object')
      Object.assign(request.query as object, request.body);
  });
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    if (isJson(String(body))) parseJson(request, String(body), done);
    else done(null, parseParameters(String(body)));
  });
}

/** The same for the query string. */
export const parseParameters = (text: string): Record<string, unknown> =>
  text === ''
    ? {}
    : (withoutEmpty(parse(withSpaces(text), { ...LIMITS, plainObjects: true, strictDepth: false })) as Record<
        string,
        unknown
      >);

const [PLUS, SPACE] = [0x2b, 0x20];

/** A form writes a space as a plus. The parser replaces them by a pattern, which takes half a second for a body of them. */
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
