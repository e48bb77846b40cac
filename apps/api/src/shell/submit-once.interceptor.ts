import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Conflict, DomainError } from '#libs/entities';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Observable, lastValueFrom, of } from 'rxjs';
import { toHttpProblem } from '../edge/error-mapping.js';
import { IdempotencyService, type IdempotentRequest, type StoredResponse } from '../edge/idempotency.service.js';
import { FORM_KEY, FormFields } from '../ui/form-fields.js';
import { meOf } from '../sign-in/session.guard.js';

/** A second click comes while the first is at work, and shows what the first one did. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 100;

/** A page that is shown once, such as one with a secret, is shown again to a second click and not to who comes later. */
const PAGE_SHOWN_MS = 60_000;

/** What makes the answer a redirect or a page, besides its body. */
const KEPT_HEADERS = ['location', 'set-cookie', 'content-type', 'content-security-policy'] as const;

/** A form of a page takes effect once, however often it is sent. Two round trips, as for an Idempotency-Key. */
@Injectable()
export class SubmitOnceInterceptor implements NestInterceptor {
  constructor(private readonly idempotency: IdempotencyService) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const submission = submissionOf(http.getRequest<FastifyRequest>());
    if (!submission) return next.handle();
    const reply = http.getResponse<FastifyReply>();
    const kept = await this.begin(submission);
    return of(kept ? repeat(reply, kept) : await this.run(submission, next, reply));
  }

  private async begin(submission: IdempotentRequest): Promise<StoredResponse | undefined> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await this.idempotency.begin(submission);
      } catch (error) {
        if (!isRunning(error) || performance.now() > end) throw error;
        await wait(PAUSE_MS);
      }
    }
  }

  /** A refused form changed nothing, so that the same can be sent again. After a failure of ours it may have. */
  private async run(submission: IdempotentRequest, next: CallHandler, reply: FastifyReply): Promise<unknown> {
    try {
      const page: unknown = await lastValueFrom(next.handle(), { defaultValue: '' });
      if (reply.statusCode >= 400) await this.idempotency.release(submission);
      else await this.idempotency.store(submission, storedResponse(reply, page));
      return page;
    } catch (error) {
      if (toHttpProblem(error).status < 500) await this.idempotency.release(submission);
      throw error;
    }
  }
}

/** What is sent again with other content, from a page that the browser kept, is another submission. */
function submissionOf(request: FastifyRequest): IdempotentRequest | undefined {
  const formKey = new FormFields(request.body).text(FORM_KEY);
  if (request.method !== 'POST' || !/^[\w-]{1,64}$/.test(formKey)) return undefined;
  const { accountId, agentId } = meOf(request);
  const content = `${request.url}\n${JSON.stringify(request.body)}`;
  const digest = createHash('sha256').update(content).digest('base64url');
  return { accountId, grantId: agentId, key: `form:${formKey}:${digest}`, content, isForm: true };
}

const isRunning = (error: unknown): boolean => error instanceof DomainError && error.code === 'request_in_progress';

function storedResponse(reply: FastifyReply, page: unknown): StoredResponse {
  const headers = KEPT_HEADERS.map((name) => [name, reply.getHeader(name)] as const);
  return {
    status: reply.statusCode,
    location: null,
    body: JSON.stringify({ page, at: Date.now(), headers: headers.filter(([, value]) => value !== undefined) }),
  };
}

interface Kept {
  readonly page: unknown;
  readonly at: number;
  readonly headers: readonly [string, string | string[]][];
}

function repeat(reply: FastifyReply, { status, body }: StoredResponse): unknown {
  const { page, at, headers } = JSON.parse(body) as Kept;
  if (page !== '' && Date.now() - at > PAGE_SHOWN_MS)
    throw new Conflict('already_done', 'This was done already. What the page showed then is not shown again.');
  for (const [name, value] of headers) void reply.header(name, value);
  void reply.status(status);
  return page;
}
