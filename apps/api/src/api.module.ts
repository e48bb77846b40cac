import { AccessModule, AgentAccessService, DependentWebhooks } from '#libs/access';
import { Clock, DatabaseClock, DatabaseModule, type SessionSettings } from '#libs/database';
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
import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { IdempotencyInterceptor } from './layers/edge/idempotency.interceptor.js';
import { IgnoredNamesInterceptor } from './layers/edge/ignored-names.interceptor.js';
import { DeferredCheckInterceptor } from './layers/oauth/deferred-check.interceptor.js';
import { RateLimitInterceptor } from './layers/edge/rate-limit.interceptor.js';
import { ResponseInterceptor } from './layers/edge/response.interceptor.js';
import { SidebarReader } from './layers/shell/sidebar.reader.js';
import { TicketSidebarReader } from './tickets/sidebar/ticket-sidebar.reader.js';
import { APPLICATIONS_PARTS } from './applications/applications.parts.js';
import { ATTACHMENTS_PARTS } from './attachments/attachments.parts.js';
import { CHANGES_PARTS } from './changes/changes.parts.js';
import { CUSTOMERS_PARTS } from './customers/customers.parts.js';
import { EVENTS_PARTS } from './events/events.parts.js';
import { HEALTH_PARTS } from './health/health.parts.js';
import { EDGE_PARTS } from './layers/edge/edge.parts.js';
import { LIVE_PARTS } from './layers/live/live.parts.js';
import { OAUTH_PARTS } from './layers/oauth/oauth.parts.js';
import { SHELL_PARTS } from './layers/shell/shell.parts.js';
import { SIGN_IN_PARTS } from './layers/sign-in/sign-in.parts.js';
import { UI_PARTS } from './layers/ui/ui.parts.js';
import { MAILBOXES_PARTS } from './mailboxes/mailboxes.parts.js';
import { MCP_PARTS } from './mcp/mcp.parts.js';
import { MESSAGES_PARTS } from './messages/messages.parts.js';
import { PEOPLE_PARTS } from './people/people.parts.js';
import { REFERENCE_PARTS } from './reference/reference.parts.js';
import { SETTINGS_PARTS } from './settings/settings.parts.js';
import { SMTP_PARTS } from './smtp/smtp.parts.js';
import { TICKETS_PARTS } from './tickets/tickets.parts.js';
import { WEBHOOKS_PARTS } from './webhooks/webhooks.parts.js';

const PARTS: readonly Pick<ModuleMetadata, 'controllers' | 'providers'>[] = [
  APPLICATIONS_PARTS,
  ATTACHMENTS_PARTS,
  CHANGES_PARTS,
  CUSTOMERS_PARTS,
  EVENTS_PARTS,
  HEALTH_PARTS,
  EDGE_PARTS,
  LIVE_PARTS,
  OAUTH_PARTS,
  SHELL_PARTS,
  SIGN_IN_PARTS,
  UI_PARTS,
  MAILBOXES_PARTS,
  MCP_PARTS,
  MESSAGES_PARTS,
  PEOPLE_PARTS,
  REFERENCE_PARTS,
  SETTINGS_PARTS,
  SMTP_PARTS,
  TICKETS_PARTS,
  WEBHOOKS_PARTS,
];

export const CONTROLLERS = PARTS.flatMap(({ controllers = [] }) => controllers);

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
    ...PARTS.flatMap(({ providers = [] }) => providers),
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
  const help = 'Queue errors. The relay delivers the affected events instead';
  const failures = metricMakers(registry).counter('deskwire_queue_errors_total', help);
  const onError = (error: Error): void => {
    failures.inc();
    outages.lasts(REDIS, describeRedisOutage(error));
  };
  return new HandOverService(DeliveryQueue.open(settings, onError), new EventContentService(settings));
}
