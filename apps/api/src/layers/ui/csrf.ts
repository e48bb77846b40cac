import { createHmac, timingSafeEqual } from 'node:crypto';
import { Forbidden } from '#libs/entities';
import { parseUrl } from '#libs/settings';
import type { FastifyRequest } from 'fastify';

/**
 * Derived from the secret in the cookie, so it needs no storage and ends with the session. With a purpose, it also proves
 * what the person was shown.
 */
export const csrfToken = (secret: string, purpose = ''): string =>
  createHmac('sha256', secret).update(`csrf:${purpose}`).digest('base64url');

export function requireCsrfToken(
  request: Pick<FastifyRequest, 'headers'>,
  proof: { readonly secret: string | undefined; readonly purpose?: string; readonly token: string },
): void {
  const expected = Buffer.from(csrfToken(proof.secret ?? '', proof.purpose));
  const shown = Buffer.from(proof.token);
  const same = shown.length === expected.length && timingSafeEqual(shown, expected);
  if (!proof.secret || !same || isCrossOrigin(request))
    throw new Forbidden('form_expired', 'The form is no longer valid. Go back, reload the page and try again.');
}

/** An origin of `null` is a frame or file that hides it. Old browsers send neither header. */
function isCrossOrigin({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined) return false;
  const page = parseUrl(origin);
  return !page || page.host !== host;
}
