import { AccessModule } from '#libs/access';
import { importFolder } from '#libs/database';
import { MailboxesModule } from '#libs/mailboxes';
import { TicketsModule } from '#libs/tickets';
import { BacklogService, TrafficService, WebhooksModule } from '#libs/webhooks';
import { Module, type Type } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { IdempotencyInterceptor } from './edge/idempotency.interceptor.js';
import { IgnoredNamesInterceptor } from './edge/ignored-names.interceptor.js';
import { isController, isInjectable } from './edge/nest-internals.js';
import { RateLimitInterceptor } from './edge/rate-limit.interceptor.js';
import { ResponseInterceptor } from './edge/response.interceptor.js';

const files = await importFolder(import.meta.dirname, /^(?!ui\/assets\/)[a-z-]+\/(?!.*\.spec\.).*\.[jt]sx?$/);

const classes = [...new Set(files.flatMap((exported) => Object.values(exported)))].filter(
  (value): value is Type => typeof value === 'function',
);

export const CONTROLLERS = classes.filter(isController);

/** In the order in which they run. */
const INTERCEPTORS = [RateLimitInterceptor, IgnoredNamesInterceptor, IdempotencyInterceptor, ResponseInterceptor];

@Module({
  imports: [AccessModule, TicketsModule, MailboxesModule, WebhooksModule, DiscoveryModule],
  providers: [
    BacklogService,
    TrafficService,
    ...classes.filter(isInjectable),
    { provide: APP_GUARD, useClass: AccessGuard },
    ...INTERCEPTORS.map((useExisting) => ({ provide: APP_INTERCEPTOR, useExisting })),
  ],
  controllers: CONTROLLERS,
})
export class FeaturesModule {}
