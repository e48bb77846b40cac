import { parseUrl } from '#libs/settings';
import type { FastifyRequest } from 'fastify';
import { FormFields } from '../ui/form-fields.js';

export const TWO_FACTOR_PATH = '/profile/two-factor';

/** The page with this form: a ticket beside its list, or the referrer. */
export function pageOfForm({ url, headers, body }: Pick<FastifyRequest, 'url' | 'headers' | 'body'>): string {
  const [, ticket] = /^(\/tickets\/\d{1,9})\//.exec(url) ?? [];
  if (ticket) return [ticket, new FormFields(body).text('back')].filter(Boolean).join('?');
  const { referer = '', host } = headers;
  const page = parseUrl(referer);
  return page?.host === host && page ? `${page.pathname}${page.search}` : '/';
}

/** Must fit in a cookie of 4 KiB, encoded and signed. */
export const MAX_RETURN_TO_CHARACTERS = 2048;

/** To a browser, `//evil` and `/\evil` are other hosts. */
export const localPath = (text: string | undefined): string =>
  text && /^\/(?![/\\])[\u0021-\u007e]*$/.test(text) ? text : '/';

const MAX_EMAIL_CHARACTERS = 254;

/** The `login_hint` of an authorization request that leads here. */
export function hintedEmail(returnTo = ''): string {
  const hint = new URLSearchParams(returnTo.slice(returnTo.indexOf('?') + 1)).get('login_hint') ?? '';
  return hint.length <= MAX_EMAIL_CHARACTERS && /^[^\s@]+@[^\s@]+$/.test(hint) ? hint : '';
}

/** The query may be too long for the cookie. */
export function returnablePath(text: string): string {
  const path = localPath(text);
  const candidates = [path, path.split('?', 1)[0]!];
  return candidates.find(({ length }) => length <= MAX_RETURN_TO_CHARACTERS) ?? '/';
}
