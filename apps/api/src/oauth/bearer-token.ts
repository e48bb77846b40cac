import type { FastifyRequest } from 'fastify';

export type PresentedToken =
  { readonly kind: 'token'; readonly token: string } | { readonly kind: 'none' | 'malformed' | 'several' };

/** RFC 6750 section 2.1. */
const BEARER = /^bearer +([\w.~+/-]{1,512}=*)$/i;

/** From the header, or from the query if ALLOW_QUERY_TOKENS is set. Both at once is an error. */
export function presentedToken(
  request: Pick<FastifyRequest, 'headers' | 'query'>,
  allowQuery: boolean,
): PresentedToken {
  const header = request.headers.authorization;
  const query = allowQuery ? (request.query as Record<string, unknown>)['access_token'] : undefined;
  if (header !== undefined && query !== undefined) return { kind: 'several' };
  if (header === undefined && query === undefined) return { kind: 'none' };
  const token = header === undefined ? query : BEARER.exec(header)?.[1];
  return typeof token === 'string' && token !== '' ? { kind: 'token', token } : { kind: 'malformed' };
}
