import { MergedTicket } from '#libs/entities';
import type { FastifyRequest } from 'fastify';
import { FormFields } from '../ui/form-fields.js';
import { type PageResponse, redirectWithNotice } from '../ui/page-response.js';

/** Leads from a merged ticket to the one that has its messages. The draft there has the text of a message. */
export function toMergedTicket({ method, url, body }: FastifyRequest, error: unknown): PageResponse {
  if (!(error instanceof MergedTicket)) throw error;
  const path = `/tickets/${error.into}`;
  const [address = '', query = ''] = url.split('?', 2);
  if (method !== 'POST') return { redirect: `${address.replace(/^\/tickets\/\d+/, path)}?${query}` };
  const back = new URLSearchParams(new FormFields(body).text('back'));
  const isText = /\/(?:messages|draft)$/.test(address);
  const outcome = isText ? 'Your text is below: check it and send it.' : 'Nothing was changed.';
  return redirectWithNotice(`${path}?${back.toString()}`, `${error.message} ${outcome}`, 'bad');
}
