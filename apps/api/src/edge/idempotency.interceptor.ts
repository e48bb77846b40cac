import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type Observable, lastValueFrom, of } from 'rxjs';
import type { AuthenticatedRequest } from './caller.js';
import { toHttpProblem } from './error-mapping.js';
import { isRawMail } from './raw-mail.js';
import { IdempotencyService, type StoredResponse, type IdempotentRequest } from './idempotency.service.js';

@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly idempotency: IdempotencyService) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const idempotentRequest = toIdempotentRequest(http.getRequest<AuthenticatedRequest>());
    if (!idempotentRequest) return next.handle();
    const reply = http.getResponse<FastifyReply>();
    const kept = await this.idempotency.begin(idempotentRequest);
    return of(kept ? sendStored(reply, kept) : await this.run(idempotentRequest, next, reply));
  }

  private async run(idempotentRequest: IdempotentRequest, next: CallHandler, reply: FastifyReply): Promise<unknown> {
    try {
      const result: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      const location = reply.getHeader('location');
      const body = JSON.stringify(result ?? null);
      await this.idempotency.store(idempotentRequest, {
        status: reply.statusCode,
        location: typeof location === 'string' ? location : null,
        body,
      });
      return result;
    } catch (error) {
      // After a 5xx the commit may have happened, so the key stays taken.
      if (toHttpProblem(error).status < 500) await this.idempotency.release(idempotentRequest);
      throw error;
    }
  }
}

/** The body of a mail has not been read yet. Mails are deduplicated by content. */
function toIdempotentRequest(request: AuthenticatedRequest): IdempotentRequest | undefined {
  const { method, url, body, caller, headers } = request;
  const key = headers['idempotency-key'];
  if (method !== 'POST' || !caller || typeof key !== 'string' || isRawMail(request)) return undefined;
  return {
    accountId: caller.accountId,
    grantId: caller.grantId,
    key,
    content: `${method} ${url}\n${JSON.stringify(body ?? null)}`,
  };
}

function sendStored(reply: FastifyReply, { status, location, body }: StoredResponse): unknown {
  void reply.status(status).header('idempotency-replayed', 'true');
  if (location) void reply.header('location', location);
  return JSON.parse(body) ?? undefined;
}
