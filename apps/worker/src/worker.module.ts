import {
  BellListener,
  Clock,
  DatabaseClock,
  DatabaseModule,
  RELAY_CHANNEL,
  type SessionSettings,
  parsePayload,
} from '#libs/database';
import { MAILS_CHANNEL } from '#libs/mail';
import { ARRIVALS_CHANNEL } from '#libs/mailboxes';
import { DownloadTokens, PayloadsModule } from '#libs/payloads';
import { type Settings, SettingsModule } from '#libs/settings';
import { StorageModule } from '#libs/storage';
import { type Logger, OutageLog, TelemetryModule } from '#libs/telemetry';
import { BacklogService } from '#libs/delivery';
import { WebhookDisablingService } from '#libs/webhooks';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { InboundMailLoop } from './mail/inbound/inbound-mail.loop.js';
import { DeliveryProcessor } from './deliveries/attempt/delivery.processor.js';
import { LiveWorkersService } from './live-workers.service.js';
import { ImapLoop } from './mail/imap/imap.loop.js';
import { HeartbeatService } from './health/heartbeat.service.js';
import { MailSendingService } from './mail/outbound/mail-sending.service.js';
import { FeederService } from './deliveries/queue/feeder.service.js';
import { LeasesService } from './deliveries/queue/leases.service.js';
import { RelayService } from './deliveries/relay/relay.service.js';
import { ReplayRunnerService } from './deliveries/relay/replay-runner.service.js';
import { WorkerMetrics } from './telemetry/worker-metrics.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { HealthServer } from './health/health-server.js';
import { SERVICES_BY_WORK, PulseService, type Looping } from './pulse.service.js';
import type { WorkKind } from './pulse.statements.js';
import { BACKGROUND_SERVICES, type BackgroundService, WorkerLifecycleService } from './worker-lifecycle.service.js';
import { StartupChecksService } from './startup-checks.service.js';
import { StateMetrics } from './health/state-metrics.js';
import { MailModule } from './mail/mail.module.js';
import { WorkerReadinessService } from './health/worker-readiness.service.js';
import { UPKEEP_PROVIDERS } from './upkeep/tasks.js';
import { UpkeepService } from './upkeep/upkeep.service.js';
import { WarmUpService } from './warm-up.service.js';

/** From the flow’s end to its beginning. */
const SERVICES_IN_ORDER = [
  WarmUpService,
  HeartbeatService,
  MailSendingService,
  InboundMailLoop,
  ImapLoop,
  UpkeepService,
  LeasesService,
  DeliveryProcessor,
  FeederService,
  RelayService,
  ReplayRunnerService,
  PulseService,
  BellListener,
];

const LOOPS = {
  events: RelayService,
  deliveries: FeederService,
  replays: ReplayRunnerService,
  inboundMails: InboundMailLoop,
  outboundMails: MailSendingService,
  imapMailboxes: ImapLoop,
  upkeep: UpkeepService,
} satisfies Record<WorkKind, Type<Looping>>;

/**
 * A prepared statement keeps its first plan, and its tables may be empty at one moment and hold a million rows at the
 * next. So plans are generic and use only indexes.
 */
export const PLANNING: SessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};

@Module({})
export class WorkerModule {
  static with(settings: Settings, logger: Logger): DynamicModule {
    const outages = new OutageLog(logger);
    return {
      module: WorkerModule,
      global: true,
      imports: [
        SettingsModule.forRoot(settings),
        TelemetryModule.forRoot('worker', logger, outages),
        DatabaseModule.forRoot({ app: 'worker', planning: PLANNING, clock: new DatabaseClock(), outages }),
        PayloadsModule.forRoot(settings.PUBLIC_URL, {
          inject: [Clock],
          useFactory: (clock: Clock) => new DownloadTokens(settings.SECRETS_KEY, clock),
        }),
        StorageModule,
        DeliveriesModule,
        MailModule,
      ],
      providers: [
        LiveWorkersService,
        WorkerMetrics,
        WorkerReadinessService,
        WorkerLifecycleService,
        WarmUpService,
        BacklogService,
        HealthServer,
        HeartbeatService,
        PulseService,
        StartupChecksService,
        StateMetrics,
        WebhookDisablingService,
        ...UPKEEP_PROVIDERS,
        {
          provide: BellListener,
          inject: [RelayService, InboundMailLoop, MailSendingService, LiveWorkersService, WorkerMetrics],
          useFactory: (
            relay: RelayService,
            arrivals: InboundMailLoop,
            mails: MailSendingService,
            workers: LiveWorkersService,
            telemetry: WorkerMetrics,
          ) =>
            new BellListener({
              url: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
              channels: {
                [RELAY_CHANNEL]: (accountIds) => {
                  if (workers.isFirstFor(parsePayload(accountIds))) relay.loop.wake();
                },
                [ARRIVALS_CHANNEL]: () => arrivals.loop.wake(),
                [MAILS_CHANNEL]: (accountId) => {
                  if (workers.isFirstFor(parsePayload(accountId))) mails.loop.wake();
                },
              },
              onError: (error) => telemetry.interrupted('the worker cannot listen for the bell, so it polls', error),
            }),
        },
        {
          provide: SERVICES_BY_WORK,
          inject: Object.values(LOOPS),
          useFactory: (...services: Looping[]) =>
            Object.fromEntries(Object.keys(LOOPS).map((kind, place) => [kind, services[place]])),
        },
        {
          provide: BACKGROUND_SERVICES,
          inject: SERVICES_IN_ORDER,
          useFactory: (...services: BackgroundService[]) => services,
        },
      ],
      exports: [LiveWorkersService, WorkerMetrics],
    };
  }
}
