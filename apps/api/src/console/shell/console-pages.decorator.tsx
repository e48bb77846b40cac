import { Clock } from '#libs/database';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
  applyDecorators,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type Observable, map } from 'rxjs';
import { SignedIn } from '../../http/access.decorator.js';
import { Cookies } from '../../pages/cookies.js';
import { meOf } from '../../sign-in/session.guard.js';
import { type PageContextValue, PageContext } from '../../pages/page-context.js';
import type { PageResponse } from '../../pages/page-response.js';
import { HtmlPages } from '../../pages/html-pages.decorator.js';
import { readNotice, readPreferences, writeNotice } from '../../pages/preferences.js';

/** Gives every page what its parts may need, so that handlers need not hand it down. */
@Injectable()
export class PageContextInterceptor implements NestInterceptor<PageResponse, PageResponse> {
  constructor(
    private readonly cookies: Cookies,
    private readonly clock: Clock,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<PageResponse>): Observable<PageResponse> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return next.handle().pipe(map((answer) => this.withContext(request, answer)));
  }

  private withContext(request: FastifyRequest, answer: PageResponse): PageResponse {
    const { cookies = [] } = answer;
    if ('redirect' in answer) {
      const { notice } = answer;
      return notice ? { ...answer, cookies: [...cookies, this.cookies.set('notice', writeNotice(notice))] } : answer;
    }
    const pageContext = this.contextOf(request);
    const view = <PageContext.Provider value={pageContext}>{answer.view}</PageContext.Provider>;
    return { ...answer, view, cookies: pageContext.notice ? [...cookies, this.cookies.clear('notice')] : cookies };
  }

  private contextOf(request: FastifyRequest): PageContextValue {
    return {
      me: meOf(request),
      now: this.clock.now(),
      preferences: readPreferences(this.cookies.read(request, 'preferences')),
      notice: readNotice(this.cookies.read(request, 'notice')),
    };
  }
}

/** Pages of the desk: for people who are signed in, within its frame. The innermost interceptor is named last. */
export const ConsolePages = () => applyDecorators(SignedIn(), HtmlPages(), UseInterceptors(PageContextInterceptor));
