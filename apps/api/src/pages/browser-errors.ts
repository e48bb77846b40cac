import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpProblem } from '../http/problem.js';
import { errorPage } from './error.page.js';
import { renderPage } from './page-response.js';

/** Whether somebody in front of a browser asked: programs get problems. The authorization endpoint has people only. */
export function expectsHtml({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>): boolean {
  if (/^\/oauth\/authorize\/?(\?|$)/.test(url)) return true;
  return !/^\/(v1|oauth)\//.test(url) && (headers.accept ?? '').includes('text/html');
}

/** What failed before any page was reached: no such address, or a request that cannot be read. */
export function sendErrorPage(reply: FastifyReply, fault: HttpProblem): void {
  const status = fault.status === 422 ? 400 : fault.status;
  for (const [name, value] of Object.entries(fault.headers ?? {})) void reply.header(name, value);
  void reply.send(renderPage(reply, errorPage(status, fault.detail)));
}
