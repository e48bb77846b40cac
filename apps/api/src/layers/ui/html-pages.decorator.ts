import {
  type ArgumentsHost,
  Catch,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  UseFilters,
  UseInterceptors,
  applyDecorators,
} from '@nestjs/common';
import { LOGGER, type Logger } from '#libs/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Observable, map } from 'rxjs';
import { toHttpProblem } from '../edge/to-http-problem.js';
import { errorPage } from './error.page.js';
import { type PageResponse, SignInRequired, renderPage } from './page-response.js';

@Injectable()
class PageInterceptor implements NestInterceptor<PageResponse, string> {
  intercept(context: ExecutionContext, next: CallHandler<PageResponse>): Observable<string> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((answer) => renderPage(reply, answer)));
  }
}

@Catch()
class PageErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (error instanceof SignInRequired && error.redirect) return void reply.send(renderPage(reply, error.redirect));
    const fault = toHttpProblem(error);
    if (fault.status >= 500) this.logger.error({ err: error, request_id: request.id }, 'page failed');
    for (const [name, value] of Object.entries(fault.headers ?? {})) void reply.header(name, value);
    void reply.send(renderPage(reply, errorPage(fault.status, fault.detail)));
  }
}

export const HtmlPages = () => applyDecorators(UseInterceptors(PageInterceptor), UseFilters(PageErrorFilter));
