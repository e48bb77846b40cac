import type { Logger } from '#libs/telemetry';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toHttpProblem } from './edge/error-mapping.js';
import type { AllowedMethods } from './edge/allowed-methods.js';
import { oauthRequestError, sendOAuthError } from './oauth/oauth-error.filter.js';
import { expectsHtml, sendErrorPage } from './ui/browser-errors.js';
import { problemBody } from './edge/problem.js';

@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly routes: AllowedMethods,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (request.is404 && request.method === 'OPTIONS' && this.sendOptions(request, reply)) return;
    sendProblem(this.methodNotAllowed(request) ?? error, request, reply, this.logger);
  }

  /** Asked without the headers of a browser's preflight, which are answered before. */
  private sendOptions(request: FastifyRequest, reply: FastifyReply): boolean {
    const allow = this.routes.methodsFor(pathOf(request.url));
    if (allow.length > 0)
      void reply
        .status(204)
        .header('allow', [...allow, 'OPTIONS'].join(', '))
        .send();
    return allow.length > 0;
  }

  /**
   * The router answers 404 to a wrong method as well; this tells the two apart. To the router, `DELETE /v1/tickets/count`
   * is a ticket whose number is `count`.
   */
  private methodNotAllowed({ method, url, is404 }: FastifyRequest): HttpException | undefined {
    const path = pathOf(url);
    const allow = is404 ? this.routes.methodsFor(path) : (this.routes.writtenOut(path) ?? [method]);
    if (allow.length === 0 || allow.includes(method)) return undefined;
    const detail = `This address answers to ${allow.join(', ')}.`;
    return new HttpException({ error: 'method_not_allowed', detail, headers: { allow: allow.join(', ') } }, 405);
  }
}

/** Also for errors before a controller is reached: in routing, in parsing, or at a limit of the server. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  const fault = toHttpProblem(error);
  // An orchestrator asks until the answer is yes.
  if (fault.status >= 500 && fault.error !== 'not_ready')
    logger.error({ err: error, request_id: request.id, route: request.routeOptions?.url }, 'request failed');
  if (reply.sent) return;
  const oauthError = oauthRequestError(request.url, fault);
  if (oauthError) return sendOAuthError(reply, oauthError);
  if (expectsHtml(request)) return sendErrorPage(reply, fault);
  for (const [name, value] of Object.entries(fault.headers ?? {})) void reply.header(name, value);
  void reply
    .status(fault.status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(problemBody(fault, { path: pathOf(request.url), id: request.id })));
}

/** Without the query, which may hold a token. */
const pathOf = (url: string): string => url.split('?', 1)[0] ?? '/';
