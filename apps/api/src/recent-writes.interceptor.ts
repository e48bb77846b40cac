import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { SessionRequest } from './sign-in/session.guard.js';
import { isSafe } from './read-your-writes.js';
import { RecentWrites } from './edge/recent-writes.js';

/** Looks up what somebody who is signed in has lately written. For tokens it comes with the count of their requests. */
@Injectable()
export class RecentWritesInterceptor implements NestInterceptor {
  constructor(private readonly writes: RecentWrites) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<SessionRequest>();
    const { session } = request;
    if (session && this.writes.areKept && isSafe(request))
      request.session = { ...session, readsAfter: await this.writes.positionOf(session.agentId) };
    return next.handle();
  }
}
