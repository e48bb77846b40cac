import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type Observable, lastValueFrom, of } from 'rxjs';
import type { AuthenticatedRequest } from './caller.js';
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
    const stored = await this.idempotency.begin(idempotentRequest);
    if (stored) return of(sendStored(reply, stored));
    const work = (): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: undefined });
    return of(await this.idempotency.run(idempotentRequest, work, (result) => storedResponse(reply, result)));
  }
}

function storedResponse(reply: FastifyReply, result: unknown): StoredResponse {
  const location = reply.getHeader('location');
  return {
    status: reply.statusCode,
    location: typeof location === 'string' ? location : null,
    body: JSON.stringify(result ?? null),
  };
}

/** Undefined for a request that is not deduplicated by key. */
function toIdempotentRequest(request: AuthenticatedRequest): IdempotentRequest | undefined {
  const { method, url, body, caller, headers } = request;
  const key = headers['idempotency-key'];
  if (method !== 'POST' || !caller || typeof key !== 'string') return undefined;
  // The body of an email has not been read yet. Emails are deduplicated by content.
  if (isRawMail(request)) return undefined;
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
  // Null is stored for a handler that returns nothing.
  return JSON.parse(body) ?? undefined;
}
