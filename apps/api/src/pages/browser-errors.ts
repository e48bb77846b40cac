import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '../http/problem.js';
import { errorPage } from './error.page.js';
import { preparePage } from './page.js';

/** Whether somebody in front of a browser asked: programs get problems. The authorization endpoint has people only. */
export function isPageFault({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>): boolean {
  if (/^\/oauth\/authorize\/?(\?|$)/.test(url)) return true;
  return !/^\/(v1|oauth)\//.test(url) && (headers.accept ?? '').includes('text/html');
}

/** What failed before any page was reached: no such address, or a request that cannot be read. */
export function sendPageFault(reply: FastifyReply, fault: Fault): void {
  const status = fault.status === 422 ? 400 : fault.status;
  for (const [name, value] of Object.entries(fault.headers ?? {})) void reply.header(name, value);
  void reply.send(preparePage(reply, errorPage(status, fault.detail)));
}
