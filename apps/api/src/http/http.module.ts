import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { OAuthModule } from '../oauth/oauth.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { AccessGuard } from './access.guard.js';
import { EarlyCounts } from './early-counts.js';
import { ResponseInterceptor } from './response.interceptor.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IgnoredNamesInterceptor } from './ignored-names.interceptor.js';
import { Refusals } from './refusals.js';
import { RateLimiter } from './rate-limiter.js';
import { RecentWrites } from './recent-writes.js';
import { RecentWritesInterceptor } from './recent-writes.interceptor.js';
import { RequestRedis } from './request-redis.js';
import { RateLimitInterceptor } from './rate-limit.interceptor.js';

/** The guard and the interceptors of every route, in the order in which they run. */
@Module({
  imports: [OAuthModule, SignInModule],
  providers: [
    EarlyCounts,
    IdempotencyService,
    RateLimiter,
    RecentWrites,
    Refusals,
    RequestRedis,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_INTERCEPTOR, useClass: RateLimitInterceptor },
    { provide: APP_INTERCEPTOR, useClass: RecentWritesInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IgnoredNamesInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: ResponseInterceptor },
  ],
  exports: [RecentWrites, Refusals],
})
export class HttpModule {}
