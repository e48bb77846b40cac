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
import { faultOf } from '../http/faults.js';
import { errorPage } from './error.page.js';
import { GoElsewhere, type PageAnswer, preparePage } from './page.js';

@Injectable()
class PageInterceptor implements NestInterceptor<PageAnswer, string> {
  intercept(context: ExecutionContext, next: CallHandler<PageAnswer>): Observable<string> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((answer) => preparePage(reply, answer)));
  }
}

/** The same faults as everywhere, said to a person instead of a program. */
@Catch()
class PageErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (error instanceof GoElsewhere) return void reply.send(preparePage(reply, error.answer));
    const fault = faultOf(error);
    if (fault.status >= 500) this.logger.error({ err: error, requestId: request.id }, 'page failed');
    void reply.send(preparePage(reply, errorPage(fault.status, fault.detail)));
  }
}

/** Handlers of the class answer with pages, and what they throw becomes one. */
export const Pages = () => applyDecorators(UseInterceptors(PageInterceptor), UseFilters(PageErrorFilter));
