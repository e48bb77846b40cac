import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpProblem } from '../edge/problem.js';
import { CardLayout, CardLink } from './layout.js';
import { type PageContent, renderPage } from './page-response.js';

const TITLES: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Page not found',
  429: 'Too many attempts',
  503: 'Temporarily unavailable',
};

const WITH_INBOX_LINK = new Set([403, 404, 405, 409]);

/** The only link leads to the inbox, because an address in the request may be hostile. */
export function errorPage(
  status: number,
  explanation: string,
  title = TITLES[status] ?? 'Something went wrong',
): PageContent {
  const view = (
    <CardLayout title={title}>
      <p data-explanation>{explanation}</p>
      {WITH_INBOX_LINK.has(status) && <CardLink to="/" text="Go to the inbox" />}
    </CardLayout>
  );
  return { view, status };
}

export function tooManyAttemptsPage(retryAfterSeconds: number): PageContent {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const page = errorPage(429, `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`);
  return { ...page, retryAfterSeconds };
}

/** Only people use the authorization endpoint. */
export function expectsHtml({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>): boolean {
  if (/^\/oauth\/authorize\/?(\?|$)/.test(url)) return true;
  return !/^\/(v1|oauth)\//.test(url) && (headers.accept ?? '').includes('text/html');
}

/** For errors outside a page handler, such as an unknown address or a malformed request. */
export function sendErrorPage(reply: FastifyReply, fault: HttpProblem): void {
  const status = fault.status === 422 ? 400 : fault.status;
  for (const [name, value] of Object.entries(fault.headers ?? {})) void reply.header(name, value);
  void reply.send(renderPage(reply, errorPage(status, fault.detail)));
}
