import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { OAuthModule } from './oauth/oauth.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { AccessGuard } from './access.guard.js';
import { EarlyCounts } from './edge/early-counts.js';
import { ResponseInterceptor } from './edge/response.interceptor.js';
import { IdempotencyService } from './edge/idempotency.service.js';
import { IdempotencyInterceptor } from './edge/idempotency.interceptor.js';
import { IgnoredNamesInterceptor } from './edge/ignored-names.interceptor.js';
import { RefusalCounter } from './edge/refusal-counter.js';
import { RateLimiter } from './edge/rate-limiter.js';
import { RequestRedisClient } from './edge/request-redis-client.js';
import { RateLimitInterceptor } from './edge/rate-limit.interceptor.js';

/** The guard and the interceptors of every route, in the order in which they run. */
@Module({
  imports: [OAuthModule, SignInModule],
  providers: [
    EarlyCounts,
    IdempotencyService,
    RateLimiter,
    RefusalCounter,
    RequestRedisClient,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_INTERCEPTOR, useClass: RateLimitInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IgnoredNamesInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: ResponseInterceptor },
  ],
  exports: [IdempotencyService, RefusalCounter],
})
export class EdgeModule {}
