import { BellListener, Clock, DatabaseModule } from '#libs/database';
import { DeskUpkeepModule } from '#libs/desk';
import { type Settings, SettingsModule } from '#libs/settings';
import { type Logger, TelemetryModule } from '#libs/telemetry';
import { BacklogService, DeliveryQueue } from '#libs/webhooks';
import { type DynamicModule, Module } from '@nestjs/common';
import { CustomerCopiesMailer } from './mail/customer-copies-mailer.js';
import { ATTEMPT_PROVIDERS } from './attempts/attempts.providers.js';
import { DeliveryProcessor } from './attempts/delivery.processor.js';
import { HealthServer } from './health/health-server.js';
import { Heartbeat } from './health/heartbeat.js';
import { BACKGROUND_SERVICES, type BackgroundService, WorkerLifecycle } from './worker-lifecycle.js';
import { FeederService } from './queue/feeder.service.js';
import { InFlightDeliveries } from './queue/in-flight-deliveries.js';
import { LeaseRenewer } from './queue/lease-renewer.js';
import { OwedDeliveries } from './queue/owed-deliveries.js';
import { QueueLossDetector } from './queue/queue-loss-detector.js';
import { BoundedQueue } from './queue/bounded-queue.js';
import { RelayService } from './relay/relay.service.js';
import { WorkerTelemetry } from './telemetry/worker-telemetry.js';
import { StateMetrics } from './health/state-metrics.js';
import { ReplayRunnerService } from './replays/replay-runner.service.js';
import { UPKEEP_PROVIDERS } from './upkeep/upkeep.providers.js';
import { UpkeepService } from './upkeep/upkeep.service.js';
import { WebhookNoticesMailer } from './mail/webhook-notices-mailer.js';

/**
 * The tables that the pipeline works in are empty at one moment and hold a million rows at the next, while a prepared
 * statement keeps the plan it was made with. Planned when they are empty, reading them whole looks cheapest, and it is
 * until there is a burst. So plans are made once, and only from what stays cheap: single rows by their keys.
 */
const PLANNER_OPTIONS = [
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'jit=off',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

/** What belongs to a session, as the above does, does not go through a pooler that shares sessions. */
function withDirectDatabaseUrl(settings: Settings): Settings {
  return { ...settings, DATABASE_URL: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL };
}

/** The table of contents of the worker. */
@Module({})
export class WorkerModule {
  static with(settings: Settings, logger: Logger, clock = new Clock()): DynamicModule {
    const queue = DeliveryQueue.open(settings, (error) => logger.warn({ err: error }, 'the queue is away'));
    return {
      module: WorkerModule,
      imports: [
        SettingsModule.forRoot(settings),
        TelemetryModule.forRoot('worker', logger),
        DeskUpkeepModule,
        DatabaseModule.forRoot(withDirectDatabaseUrl(settings), 'worker', clock, PLANNER_OPTIONS),
      ],
      providers: [
        RelayService,
        ReplayRunnerService,
        FeederService,
        BoundedQueue,
        QueueLossDetector,
        OwedDeliveries,
        InFlightDeliveries,
        LeaseRenewer,
        { provide: DeliveryQueue, useValue: queue },
        {
          provide: BellListener,
          inject: [RelayService, WorkerTelemetry],
          useFactory: (relay: RelayService, telemetry: WorkerTelemetry) =>
            new BellListener({
              url: withDirectDatabaseUrl(settings).DATABASE_URL,
              onRing: () => relay.wake(),
              onError: (error) => telemetry.interrupted('the bell cannot be heard, so the relay polls', error),
            }),
        },
        ...ATTEMPT_PROVIDERS,
        ...UPKEEP_PROVIDERS,
        CustomerCopiesMailer,
        WorkerTelemetry,
        BacklogService,
        StateMetrics,
        HealthServer,
        Heartbeat,
        WorkerLifecycle,
        {
          provide: BACKGROUND_SERVICES,
          inject: [
            Heartbeat,
            WebhookNoticesMailer,
            CustomerCopiesMailer,
            UpkeepService,
            LeaseRenewer,
            DeliveryProcessor,
            QueueLossDetector,
            FeederService,
            RelayService,
            ReplayRunnerService,
            BellListener,
          ],
          useFactory: (...parts: BackgroundService[]) => [queueCloser(queue), ...parts],
        },
      ],
    };
  }
}

function queueCloser(queue: DeliveryQueue): BackgroundService {
  return { start: () => undefined, stop: () => queue.close() };
}
