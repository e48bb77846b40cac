import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AnswersInterceptor } from './answers.interceptor.js';
import { Idempotency } from './idempotency.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { RateLimit } from './rate-limit.js';
import { RateLimitInterceptor } from './rate-limit.interceptor.js';

/** What every route of the API does alike, in the order it is done. */
@Module({
  providers: [
    Idempotency,
    RateLimit,
    { provide: APP_INTERCEPTOR, useClass: RateLimitInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: AnswersInterceptor },
  ],
})
export class HttpModule {}
