import type { ModuleMetadata } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyService } from './idempotency.service.js';
import { IgnoredNamesInterceptor } from './ignored-names.interceptor.js';
import { TicketNumberOrNonePipe, TicketNumberPipe } from './path-parameter.pipes.js';
import { RateLimitInterceptor } from './rate-limit.interceptor.js';
import { RefusalCounter } from './refusal-counter.js';
import { ResponseInterceptor } from './response.interceptor.js';

export const EDGE_PARTS = {
  providers: [
    IdempotencyInterceptor,
    IdempotencyService,
    IgnoredNamesInterceptor,
    TicketNumberOrNonePipe,
    TicketNumberPipe,
    RateLimitInterceptor,
    RefusalCounter,
    ResponseInterceptor,
  ],
} satisfies ModuleMetadata;
