import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type Observable, lastValueFrom, of } from 'rxjs';
import type { AuthenticatedRequest } from '../oauth/caller.js';
import { faultOf } from './faults.js';
import { Idempotency, type KeptAnswer, type KeyedRequest } from './idempotency.js';

/** Every POST that carries `Idempotency-Key`; without the header nothing is asked or kept. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly idempotency: Idempotency) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const keyed = keyedRequest(http.getRequest<AuthenticatedRequest>());
    if (!keyed) return next.handle();
    const reply = http.getResponse<FastifyReply>();
    const kept = await this.idempotency.begin(keyed);
    return of(kept ? repeat(reply, kept) : await this.run(keyed, next, reply));
  }

  private async run(keyed: KeyedRequest, next: CallHandler, reply: FastifyReply): Promise<unknown> {
    try {
      const result: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      const location = reply.getHeader('location');
      const body = JSON.stringify(result ?? null);
      await this.idempotency.keep(keyed, {
        status: reply.statusCode,
        location: typeof location === 'string' ? location : null,
        body,
      });
      return result;
    } catch (error) {
      // Refused: nothing was changed. A failure of ours may have come after the commit, so its key stays taken.
      if (faultOf(error).status < 500) await this.idempotency.forget(keyed);
      throw error;
    }
  }
}

function keyedRequest({ method, url, body, caller, headers }: AuthenticatedRequest): KeyedRequest | undefined {
  const key = headers['idempotency-key'];
  if (method !== 'POST' || !caller || typeof key !== 'string') return undefined;
  return {
    accountId: caller.accountId,
    grantId: caller.grantId,
    key,
    content: `${method} ${url}\n${JSON.stringify(body ?? null)}`,
  };
}

function repeat(reply: FastifyReply, { status, location, body }: KeptAnswer): unknown {
  void reply.status(status).header('idempotency-replayed', 'true');
  if (location) void reply.header('location', location);
  return JSON.parse(body) ?? undefined;
}
