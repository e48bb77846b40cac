import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { ResponseInterceptor } from './response.interceptor.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { RateLimiter } from './rate-limiter.js';
import { RateLimitInterceptor } from './rate-limit.interceptor.js';

/** What every route of the API does alike, in the order it is done. */
@Module({
  providers: [
    IdempotencyService,
    RateLimiter,
    { provide: APP_INTERCEPTOR, useClass: RateLimitInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: ResponseInterceptor },
  ],
})
export class HttpModule {}
