import {
  type CallHandler,
  type ExecutionContext,
  HttpException,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Observable } from 'rxjs';
import type { AuthenticatedRequest } from './caller.js';
import { RateLimiter, type RateLimitResult } from './rate-limiter.js';

/** Counts only requests with a valid token. */
@Injectable()
export class RateLimitInterceptor implements NestInterceptor {
  constructor(private readonly limiter: RateLimiter) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const { caller } = http.getRequest<AuthenticatedRequest>();
    const allowance = caller && (await this.limiter.count(caller));
    if (allowance) setRateLimitHeaders(http.getResponse<FastifyReply>(), allowance);
    if (allowance && !allowance.allowed) throw tooManyRequests(allowance);
    return next.handle();
  }
}

function setRateLimitHeaders(reply: FastifyReply, { limit, remaining, resetSeconds }: RateLimitResult): void {
  void reply
    .header('ratelimit-policy', `"default";q=${limit};w=60`)
    .header('ratelimit', `"default";r=${remaining};t=${resetSeconds}`);
}

function tooManyRequests({ limit, resetSeconds }: RateLimitResult): HttpException {
  const detail = `The tokens of a person may together make ${limit} requests a minute. Try again in ${resetSeconds} s.`;
  return new HttpException({ error: 'too_many_requests', detail, headers: { 'retry-after': `${resetSeconds}` } }, 429);
}
