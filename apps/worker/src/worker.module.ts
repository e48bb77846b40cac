import { BellListener, Clock, DatabaseModule } from '#libs/database';
import { DeskUpkeepModule } from '#libs/desk';
import { type Settings, SettingsModule } from '#libs/settings';
import { type Logger, TelemetryModule } from '#libs/telemetry';
import { Backlog, DeliveryQueue } from '#libs/webhooks';
import { type DynamicModule, Module } from '@nestjs/common';
import { CustomerCopiesSender } from './mail/customer-copies.js';
import { DELIVERIES } from './attempts/deliveries.providers.js';
import { DeliveryWorker } from './attempts/delivery-worker.js';
import { HealthServer } from './health/health-server.js';
import { Heartbeat } from './health/heartbeat.js';
import { PARTS, type Part, Pipeline } from './pipeline.js';
import { Feeder } from './queue/feeder.service.js';
import { InHand } from './queue/in-hand.js';
import { LeaseKeeper } from './queue/lease-keeper.js';
import { OwedDeliveries } from './queue/owed-deliveries.js';
import { QueueMemory } from './queue/queue-memory.js';
import { QueueWindow } from './queue/queue-window.js';
import { Relay } from './relay/relay.service.js';
import { Journal } from './telemetry/journal.js';
import { StateMetrics } from './health/state-metrics.js';
import { Replays } from './replays/replays.service.js';
import { UPKEEP } from './upkeep/upkeep.providers.js';
import { Upkeep } from './upkeep/upkeep.service.js';
import { WebhookNotices } from './mail/webhook-notices.js';

/**
 * The tables that the pipeline works in are empty at one moment and hold a million rows at the next, while a prepared
 * statement keeps the plan it was made with. Planned when they are empty, reading them whole looks cheapest, and it is
 * until there is a burst. So plans are made once, and only from what stays cheap: single rows by their keys.
 */
const PLANNING = [
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'jit=off',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

/** What belongs to a session, as the above does, does not go through a pooler that shares sessions. */
function direct(settings: Settings): Settings {
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
        SettingsModule.of(settings),
        TelemetryModule.of('worker', logger),
        DeskUpkeepModule,
        DatabaseModule.connect(direct(settings), 'worker', clock, PLANNING),
      ],
      providers: [
        Relay,
        Replays,
        Feeder,
        QueueWindow,
        QueueMemory,
        OwedDeliveries,
        InHand,
        LeaseKeeper,
        { provide: DeliveryQueue, useValue: queue },
        {
          provide: BellListener,
          inject: [Relay, Journal],
          useFactory: (relay: Relay, journal: Journal) =>
            new BellListener({
              url: direct(settings).DATABASE_URL,
              onRing: () => relay.wake(),
              onSilence: (error) => journal.interrupted('the bell cannot be heard, so the relay polls', error),
            }),
        },
        ...DELIVERIES,
        ...UPKEEP,
        CustomerCopiesSender,
        Journal,
        Backlog,
        StateMetrics,
        HealthServer,
        Heartbeat,
        Pipeline,
        {
          provide: PARTS,
          inject: [
            Heartbeat,
            WebhookNotices,
            CustomerCopiesSender,
            Upkeep,
            LeaseKeeper,
            DeliveryWorker,
            QueueMemory,
            Feeder,
            Relay,
            Replays,
            BellListener,
          ],
          useFactory: (...parts: Part[]) => [lastToStop(queue), ...parts],
        },
      ],
    };
  }
}

function lastToStop(queue: DeliveryQueue): Part {
  return { start: () => undefined, stop: () => queue.close() };
}
