import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpProblem } from '../edge/problem.js';
import { errorPage } from './error.page.js';
import { renderPage } from './page-response.js';

/** Whether a browser asked for a page. Programs get problem details. Only people use the authorization endpoint. */
export function expectsHtml({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>): boolean {
  if (/^\/oauth\/authorize\/?(\?|$)/.test(url)) return true;
  return !/^\/(v1|oauth)\//.test(url) && (headers.accept ?? '').includes('text/html');
}

/** For errors before a page handler runs, such as an unknown address or a malformed request. */
export function sendErrorPage(reply: FastifyReply, fault: HttpProblem): void {
  const status = fault.status === 422 ? 400 : fault.status;
  for (const [name, value] of Object.entries(fault.headers ?? {})) void reply.header(name, value);
  void reply.send(renderPage(reply, errorPage(status, fault.detail)));
}
