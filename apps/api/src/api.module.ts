import { AccessModule, AgentAccessService, DependentWebhooks } from '#libs/access';
import { Clock, DatabaseClock, DatabaseModule, importFolder, type SessionSettings } from '#libs/database';
import { HandOver } from '#libs/events';
import { MailboxesModule } from '#libs/mailboxes';
import { DownloadTokens, PayloadsModule } from '#libs/payloads';
import { REDIS, describeRedisOutage } from '#libs/redis';
import { SecretBox } from '#libs/secret-box';
import { type Settings, SettingsModule } from '#libs/settings';
import { type Logger, Metrics, OutageLog, TelemetryModule, metricMakers } from '#libs/telemetry';
import { AgentAccess, AttachmentFolderService, TicketsModule } from '#libs/tickets';
import { BacklogService, DeliveryQueue, EventContentService, HandOverService } from '#libs/delivery';
import { AccessRevocationService, TrafficService, WebhooksModule } from '#libs/webhooks';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { IdempotencyInterceptor } from './layers/edge/idempotency.interceptor.js';
import { IgnoredNamesInterceptor } from './layers/edge/ignored-names.interceptor.js';
import { isController, isInjectable } from './layers/edge/nest-internals.js';
import { DeferredCheckInterceptor } from './layers/oauth/deferred-check.interceptor.js';
import { RateLimitInterceptor } from './layers/edge/rate-limit.interceptor.js';
import { ResponseInterceptor } from './layers/edge/response.interceptor.js';
import { SidebarReader } from './layers/shell/sidebar.reader.js';
import { TicketSidebarReader } from './tickets/sidebar/ticket-sidebar.reader.js';

const files = await importFolder(import.meta.dirname, /^(?!layers\/ui\/assets\/)[a-z-]+\/(?!.*\.spec\.).*\.[jt]sx?$/);

const classes = [...new Set(files.flatMap((exported) => Object.values(exported)))].filter(
  (value): value is Type => typeof value === 'function',
);

export const CONTROLLERS = classes.filter(isController);

/** In the order in which they run. */
const INTERCEPTORS = [
  RateLimitInterceptor,
  IgnoredNamesInterceptor,
  IdempotencyInterceptor,
  ResponseInterceptor,
  DeferredCheckInterceptor,
];

/** A prepared statement keeps its plan while its table grows. See docs/decisions/steady-plans.md. */
export const PLANNING: SessionSettings = { enable_seqscan: 'off', jit: 'off' };

@Module({
  imports: [AccessModule, TicketsModule, MailboxesModule, WebhooksModule, DiscoveryModule],
  providers: [
    BacklogService,
    TrafficService,
    ...classes.filter(isInjectable),
    { provide: APP_GUARD, useClass: AccessGuard },
    ...INTERCEPTORS.map((useExisting) => ({ provide: APP_INTERCEPTOR, useExisting })),
    AttachmentFolderService,
    SecretBox.provider,
    { provide: SidebarReader, useExisting: TicketSidebarReader },
    { provide: AgentAccess, useClass: AgentAccessService },
    { provide: DependentWebhooks, useClass: AccessRevocationService },
  ],
  controllers: CONTROLLERS,
  exports: [AgentAccess, DependentWebhooks],
})
export class ApiModule {
  static forRoot(settings: Settings, logger: Logger): DynamicModule {
    const outages = new OutageLog(logger);
    return {
      module: ApiModule,
      imports: [
        SettingsModule.forRoot(settings),
        TelemetryModule.forRoot('api', logger, outages),
        DatabaseModule.forRoot({ app: 'api', planning: PLANNING, clock: new DatabaseClock(), outages }),
        PayloadsModule.forRoot(settings.PUBLIC_URL, {
          inject: [Clock],
          useFactory: (clock: Clock) => new DownloadTokens(settings.SECRETS_KEY, clock),
        }),
      ],
      providers: [
        {
          provide: HandOver,
          inject: [Metrics],
          useFactory: (registry: Metrics) => newHandOver(settings, outages, registry),
        },
      ],
      exports: [HandOver],
      // access, tickets and webhooks do not import each other.
      global: true,
    };
  }
}

/** Without Redis, the workers take all events from the outbox. */
function newHandOver(settings: Settings, outages: OutageLog, registry: Metrics): HandOver | undefined {
  if (settings.REDIS_URL === undefined) return undefined;
  const help = 'Errors of the queue. The relay takes the events that were not handed over';
  const failures = metricMakers(registry).counter('deskwire_queue_errors_total', help);
  const onError = (error: Error): void => {
    failures.inc();
    outages.lasts(REDIS, describeRedisOutage(error));
  };
  return new HandOverService(DeliveryQueue.open(settings, onError), new EventContentService(settings));
}
