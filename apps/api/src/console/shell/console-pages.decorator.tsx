import { Clock } from '#libs/database';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseGuards,
  UseInterceptors,
  applyDecorators,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type Observable, map } from 'rxjs';
import { Cookies } from '../../pages/cookies.js';
import { SessionGuard, meOf } from '../../sign-in/session.guard.js';
import { type Frame, FrameContext } from '../../pages/frame.js';
import type { PageAnswer } from '../../pages/page.js';
import { Pages } from '../../pages/pages.decorator.js';
import { readNotice, readPreferences, writeNotice } from '../../pages/preferences.js';

/** Gives every page what its parts may need, so that handlers need not hand it down. */
@Injectable()
export class FrameInterceptor implements NestInterceptor<PageAnswer, PageAnswer> {
  constructor(
    private readonly cookies: Cookies,
    private readonly clock: Clock,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<PageAnswer>): Observable<PageAnswer> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return next.handle().pipe(map((answer) => this.framed(request, answer)));
  }

  private framed(request: FastifyRequest, answer: PageAnswer): PageAnswer {
    const { cookies = [] } = answer;
    if ('redirect' in answer) {
      const { notice } = answer;
      return notice ? { ...answer, cookies: [...cookies, this.cookies.set('notice', writeNotice(notice))] } : answer;
    }
    const frame = this.frameOf(request);
    const view = <FrameContext.Provider value={frame}>{answer.view}</FrameContext.Provider>;
    return { ...answer, view, cookies: frame.notice ? [...cookies, this.cookies.clear('notice')] : cookies };
  }

  private frameOf(request: FastifyRequest): Frame {
    return {
      me: meOf(request),
      now: this.clock.now(),
      preferences: readPreferences(this.cookies.read(request, 'preferences')),
      notice: readNotice(this.cookies.read(request, 'notice')),
    };
  }
}

/** Pages of the desk: for people who are signed in, within its frame. The innermost interceptor is named last. */
export const DeskPages = () => applyDecorators(UseGuards(SessionGuard), Pages(), UseInterceptors(FrameInterceptor));
