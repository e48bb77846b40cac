import type { FastifyRequest } from 'fastify';
import { FormFields } from '../ui/form-fields.js';

type FormRequest = Pick<FastifyRequest, 'url' | 'headers' | 'body'>;

/**
 * The page that shows the form of this request: for a ticket, the ticket beside the list that it was opened from. Whoever
 * reads it takes a path of this site only.
 */
export function pageOfForm({ url, headers, body }: FormRequest): string {
  const [, ticket] = /^(\/tickets\/\d{1,9})\//.exec(url) ?? [];
  if (ticket) return [ticket, new FormFields(body).text('back')].filter(Boolean).join('?');
  const { referer = '', host } = headers;
  const page = URL.canParse(referer) ? new URL(referer) : undefined;
  return page?.host === host && page ? `${page.pathname}${page.search}` : '/';
}
