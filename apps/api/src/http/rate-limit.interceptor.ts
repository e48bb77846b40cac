import {
  type CallHandler,
  type ExecutionContext,
  HttpException,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Observable } from 'rxjs';
import type { AuthenticatedRequest } from '../oauth/caller.js';
import { type Allowance, RateLimit } from './rate-limit.js';

/** Behind the guards, so that what is counted is a token that exists, not a guess. */
@Injectable()
export class RateLimitInterceptor implements NestInterceptor {
  constructor(private readonly limit: RateLimit) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const { caller } = http.getRequest<AuthenticatedRequest>();
    const allowance = caller && (await this.limit.count(caller.grantId));
    if (allowance) tell(http.getResponse<FastifyReply>(), allowance);
    if (allowance && !allowance.allowed) throw tooMany(allowance);
    return next.handle();
  }
}

function tell(reply: FastifyReply, { limit, remaining, resetSeconds }: Allowance): void {
  void reply
    .header('ratelimit-policy', `"default";q=${limit};w=60`)
    .header('ratelimit', `"default";r=${remaining};t=${resetSeconds}`);
}

function tooMany({ limit, resetSeconds }: Allowance): HttpException {
  const detail = `A token may make ${limit} requests a minute. Try again in ${resetSeconds} s.`;
  return new HttpException({ error: 'too_many_requests', detail, headers: { 'retry-after': `${resetSeconds}` } }, 429);
}
