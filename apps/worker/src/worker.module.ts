import { BellListener, Clock, DatabaseClock, DatabaseModule } from '#libs/database';
import { ARRIVALS_CHANNEL } from '#libs/desk';
import { MAILS_CHANNEL } from '#libs/mail';
import { DownloadTokens, PayloadsModule } from '#libs/payloads';
import { type Settings, SettingsModule } from '#libs/settings';
import { type Logger, OutageLog, TelemetryModule } from '#libs/telemetry';
import { type DynamicModule, Module } from '@nestjs/common';
import { ArrivalsModule } from './arrivals/arrivals.module.js';
import { ArrivalsService } from './arrivals/arrivals.service.js';
import { AttemptsModule } from './attempts/attempts.module.js';
import { DeliveryProcessor } from './attempts/delivery.processor.js';
import { FairnessModule } from './fairness/fairness.module.js';
import { LiveWorkers } from './fairness/live-workers.js';
import { ImapModule } from './imap/imap.module.js';
import { ImapService } from './imap/imap.service.js';
import { HealthModule } from './health/health.module.js';
import { Heartbeat } from './health/heartbeat.js';
import { MailModule } from './mail/mail.module.js';
import { MailSendingService } from './mail/mail-sending.service.js';
import { FeederService } from './queue/feeder.service.js';
import { LeaseRenewer } from './queue/lease-renewer.js';
import { QueueLossDetector } from './queue/queue-loss-detector.js';
import { PLANNING } from './planning.js';
import { QueueModule } from './queue/queue.module.js';
import { RelayModule } from './relay/relay.module.js';
import { RelayService } from './relay/relay.service.js';
import { ReplayRunnerService } from './replays/replay-runner.service.js';
import { WorkerTelemetry } from './telemetry/worker-telemetry.js';
import { WorkerTelemetryModule } from './telemetry/worker-telemetry.module.js';
import { UpkeepModule } from './upkeep/upkeep.module.js';
import { UpkeepService } from './upkeep/upkeep.service.js';
import { WarmUpService } from './warm-up.service.js';
import { BACKGROUND_SERVICES, type BackgroundService, WorkerLifecycle } from './worker-lifecycle.js';

/** In the order in which they start: from the end of the flow to its beginning. */
const SERVICES_IN_ORDER = [
  WarmUpService,
  Heartbeat,
  MailSendingService,
  ArrivalsService,
  ImapService,
  UpkeepService,
  LeaseRenewer,
  DeliveryProcessor,
  QueueLossDetector,
  FeederService,
  RelayService,
  ReplayRunnerService,
  BellListener,
];

/** The table of contents of the worker. */
@Module({})
export class WorkerModule {
  static with(settings: Settings, logger: Logger): DynamicModule {
    const outages = new OutageLog(logger);
    return {
      module: WorkerModule,
      imports: [
        SettingsModule.forRoot(settings),
        TelemetryModule.forRoot('worker', logger, outages),
        DatabaseModule.forRoot({ app: 'worker', planning: PLANNING, clock: new DatabaseClock(), outages }),
        PayloadsModule.forRoot(settings.PUBLIC_URL, {
          inject: [Clock],
          useFactory: (clock: Clock) =>
            new DownloadTokens(
              settings.SECRETS_KEY.map(({ key }) => key),
              clock,
            ),
        }),
        WorkerTelemetryModule,
        FairnessModule,
        RelayModule,
        QueueModule,
        AttemptsModule,
        MailModule,
        ArrivalsModule,
        ImapModule,
        UpkeepModule,
        HealthModule,
      ],
      providers: [
        WorkerLifecycle,
        WarmUpService,
        ReplayRunnerService,
        {
          provide: BellListener,
          inject: [RelayService, ArrivalsService, MailSendingService, LiveWorkers, WorkerTelemetry],
          useFactory: (
            relay: RelayService,
            arrivals: ArrivalsService,
            mails: MailSendingService,
            workers: LiveWorkers,
            telemetry: WorkerTelemetry,
          ) =>
            new BellListener({
              url: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
              onRing: (accountIds) => {
                if (workers.isFirstFor(accountIds)) relay.wake(accountIds);
              },
              channels: {
                [ARRIVALS_CHANNEL]: () => arrivals.wake(),
                [MAILS_CHANNEL]: (accountId) => {
                  if (workers.isFirstFor(accountId === '' ? [] : [accountId])) mails.wake();
                },
              },
              onError: (error) => telemetry.interrupted('the worker cannot listen for the bell, so it polls', error),
            }),
        },
        {
          provide: BACKGROUND_SERVICES,
          inject: SERVICES_IN_ORDER,
          useFactory: (...services: BackgroundService[]) => services,
        },
      ],
    };
  }
}
