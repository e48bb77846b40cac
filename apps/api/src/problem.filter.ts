import type { Logger } from '#libs/telemetry';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toHttpProblem } from './layers/edge/to-http-problem.js';
import { oauthRequestError, sendOAuthError } from './layers/oauth/oauth-error.filter.js';
import { expectsHtml, sendErrorPage } from './layers/ui/error.page.js';
import { type HttpProblem, problemBody } from './layers/edge/problem.js';
import { mcpRequestError } from './mcp/json-rpc.js';

/** The router returns 404 for a wrong method, which should be 405. */
export class AllowedMethods {
  /** By the address of the route. */
  private readonly methods = new Map<string, Set<string>>();

  constructor(server: FastifyInstance) {
    server.addHook('onRoute', ({ url, method }) => {
      const known = this.methods.get(url) ?? new Set<string>();
      this.methods.set(url, known);
      for (const one of [method].flat()) known.add(one);
    });
  }

  /** A route without parameters wins over one with a matching parameter. */
  methodsFor(path: string): string[] {
    const literal = this.literalRoute(path);
    if (literal) return literal;
    const matching = [...this.methods].filter(([route]) => matches(segmentsOf(route), segmentsOf(path)));
    return [...new Set(matching.flatMap(([, methods]) => [...methods]))].sort();
  }

  literalRoute(path: string): string[] | undefined {
    const methods = this.methods.get(segmentsOf(path).join('/'));
    return methods && !path.includes('/:') ? [...methods].sort() : undefined;
  }
}

/** Ignores a trailing slash. */
const segmentsOf = (path: string): string[] => (path.endsWith('/') ? path.slice(0, -1) : path).split('/');

const matches = (route: readonly string[], path: readonly string[]): boolean =>
  route.length === path.length &&
  route.every((segment, index) => (segment.startsWith(':') ? path[index] !== '' : path[index] === segment));

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

  /** Preflight requests of browsers were answered before. */
  private sendOptions(request: FastifyRequest, reply: FastifyReply): boolean {
    const methods = this.routes.methodsFor(pathOf(request.url));
    const allow = [...methods, 'OPTIONS'].join(', ');
    if (methods.length > 0) void reply.status(204).header('allow', allow).send();
    return methods.length > 0;
  }

  /** To the router, `DELETE /v1/tickets/count` is a ticket with the number `count`. */
  private methodNotAllowed({ method, url, is404 }: FastifyRequest): HttpException | undefined {
    const path = pathOf(url);
    const allow = is404 ? this.routes.methodsFor(path) : (this.routes.literalRoute(path) ?? [method]);
    if (allow.length === 0 || allow.includes(method)) return undefined;
    const detail = `This URL supports only ${allow.join(', ')}.`;
    return new HttpException({ error: 'method_not_allowed', detail, headers: { allow: allow.join(', ') } }, 405);
  }
}

/** Also called for errors before a controller is reached. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  const fault = atOtherNumber(request, toHttpProblem(error));
  // Orchestrators poll readiness, which would fill the log.
  if (fault.status >= 500 && fault.error !== 'not_ready')
    logger.error({ err: error, request_id: request.id, route: request.routeOptions?.url }, 'request failed');
  if (reply.sent) return;
  const oauthError = oauthRequestError(request.url, fault);
  if (oauthError) return sendOAuthError(reply, oauthError);
  const rpcError = mcpRequestError(request.url, fault);
  if (rpcError) return void reply.status(rpcError.status).send(rpcError.answer(request.body));
  if (expectsHtml(request)) return sendErrorPage(reply, fault);
  for (const [name, value] of Object.entries(fault.headers ?? {})) void reply.header(name, value);
  void reply
    .status(fault.status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(problemBody(fault, { path: pathOf(request.url), id: request.id })));
}

/** Names the same path of the ticket that stays. Not cached, because a merge can be undone. */
function atOtherNumber({ method, url }: FastifyRequest, fault: HttpProblem): HttpProblem {
  const into = fault.members?.['merged_into'];
  if (typeof into !== 'number') return fault;
  const location = url.replace(/^\/v1\/tickets\/[^/?]+/, `/v1/tickets/${into}`);
  const isRead = method === 'GET' || method === 'HEAD';
  return { ...fault, ...(isRead && { status: 301 }), headers: { location } };
}

/** The query may hold a token. */
const pathOf = (url: string): string => url.split('?', 1)[0] ?? '/';
