import type { FastifyInstance } from 'fastify';
import { parse } from 'qs';

/** Deeper or longer forms than any of ours are an attack, not a form. */
const LIMITS = { depth: 4, parameterLimit: 1000, arrayLimit: 100 } as const;

/** Forms mean what the same JSON means: nested `to[email]=`, lists `tags[]=`, and an empty string is an absent field. */
export function acceptForms(server: FastifyInstance): void {
  // Some clients send the parameters of a GET as a form body. Fastify parses bodies of the methods it is told have one.
  server.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  server.addHook('preValidation', async (request) => {
    if (request.method === 'GET' && typeof request.body === 'object')
      Object.assign(request.query as object, request.body);
  });
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, parseParameters(String(body)));
  });
}

/** The same for what stands behind the question mark. */
export const parseParameters = (text: string): Record<string, unknown> =>
  withoutEmpty(parse(text, { ...LIMITS, plainObjects: true, strictDepth: false })) as Record<string, unknown>;

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item)).filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return value === '' ? undefined : value;
  const kept = Object.entries(value)
    .map(([name, part]) => [name, withoutEmpty(part)] as const)
    .filter(([name, part]) => part !== undefined && name !== '__proto__');
  return Object.fromEntries(kept);
}
