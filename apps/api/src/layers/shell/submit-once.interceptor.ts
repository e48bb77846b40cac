import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Clock } from '#libs/database';
import { Conflict, DomainError } from '#libs/entities';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Observable, lastValueFrom, of } from 'rxjs';
import { IdempotencyService, type IdempotentRequest, type StoredResponse } from '../edge/idempotency.service.js';
import { FORM_KEY, FormFields } from '../ui/form-fields.js';
import { meOf } from '../sign-in/me.decorator.js';

/** How long a second click waits for the response to the first, and how often it checks. */
const MAX_WAIT_MS = 15_000;
const CHECK_INTERVAL_MS = 100;

/** A second click sees the first response, such as a secret. Later repeats do not. */
const PAGE_SHOWN_MS = 60_000;

const STORED_HEADERS = ['location', 'set-cookie', 'content-type', 'content-security-policy'] as const;

/** A form takes effect once, as a request with an Idempotency-Key. */
@Injectable()
export class SubmitOnceInterceptor implements NestInterceptor {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly clock: Clock,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const submission = submissionOf(http.getRequest<FastifyRequest>());
    if (!submission) return next.handle();
    const reply = http.getResponse<FastifyReply>();
    const stored = await this.begin(submission);
    if (stored) return of(repeat(reply, stored, this.clock.now()));
    const work = (): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: '' });
    return of(await this.idempotency.run(submission, work, (page) => storedResponse(reply, page, this.clock.now())));
  }

  private async begin(submission: IdempotentRequest): Promise<StoredResponse | undefined> {
    const end = performance.now() + MAX_WAIT_MS;
    for (;;) {
      try {
        return await this.idempotency.begin(submission);
      } catch (error) {
        const isRunning = error instanceof DomainError && error.code === 'request_in_progress';
        if (!isRunning || performance.now() > end) throw error;
        await wait(CHECK_INTERVAL_MS);
      }
    }
  }
}

/** The same form key with other content, from a cached page, is a new submission. */
function submissionOf(request: FastifyRequest): IdempotentRequest | undefined {
  const formKey = new FormFields(request.body).text(FORM_KEY);
  if (request.method !== 'POST' || !/^[\w-]{1,64}$/.test(formKey)) return undefined;
  const { accountId, agentId } = meOf(request);
  const content = `${request.url}\n${JSON.stringify(request.body)}`;
  const digest = createHash('sha256').update(content).digest('base64url');
  return { accountId, grantId: agentId, key: `form:${formKey}:${digest}`, content, isForm: true };
}

/** A refused form changed nothing and may be sent again. */
function storedResponse(reply: FastifyReply, page: unknown, now: Date): StoredResponse | undefined {
  const status = reply.statusCode;
  return status < 400 ? { status, location: null, body: JSON.stringify(pageOf(reply, page, now)) } : undefined;
}

function pageOf(reply: FastifyReply, page: unknown, now: Date) {
  const headers = STORED_HEADERS.map((name) => [name, reply.getHeader(name)] as const);
  return { page, at: now.getTime(), headers: headers.filter(([, value]) => value !== undefined) };
}

function repeat(reply: FastifyReply, { status, body }: StoredResponse, now: Date): unknown {
  const { page, at, headers } = JSON.parse(body) as ReturnType<typeof pageOf>;
  if (page !== '' && now.getTime() - at > PAGE_SHOWN_MS)
    throw new Conflict('already_done', 'This was already done. Its result is shown only once.');
  for (const [name, value] of headers) void reply.header(name, value);
  void reply.status(status);
  return page;
}
