import { POSTGRESQL, describeDatabaseOutage } from '#libs/database';
import { REDIS, describeRedisOutage } from '#libs/redis';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { OutageLog } from '#libs/telemetry';
import { DeliveryQueue } from '#libs/webhooks';
import { Module } from '@nestjs/common';
import { UpkeepModule } from '../upkeep/upkeep.module.js';
import { AttemptLoader } from './attempt/attempt-loader.js';
import { AttemptPolicy } from './attempt/attempt-policy.js';
import { AttemptRecorder } from './attempt/attempt-recorder.js';
import { AttemptRunner } from './attempt/attempt-runner.js';
import { AttemptTelemetry } from './attempt/attempt-telemetry.js';
import { AttemptsService } from './attempt/attempts.service.js';
import { DeliveryProcessor } from './attempt/delivery.processor.js';
import { KeyCache } from './attempt/key-cache.js';
import { SecretCache } from './attempt/secret-cache.js';
import { DeliverySlots } from './limits/delivery-slots.js';
import { HostLimiters } from './limits/host-limiters.js';
import { ReceiverLimiters } from './limits/receiver-limiters.js';
import { SlowReceivers } from './limits/slow-receivers.js';
import { BoundedQueue } from './queue/bounded-queue.js';
import { BroughtDeliveries } from './queue/brought-deliveries.js';
import { FeederService } from './queue/feeder.service.js';
import { InFlightDeliveries } from './queue/in-flight-deliveries.js';
import { LeaseRenewer } from './queue/lease-renewer.js';
import { OwedDeliveries } from './queue/owed-deliveries.js';
import { QueueExamination } from './queue/queue-examination.js';
import { QueueLossDetector } from './queue/queue-loss-detector.js';
import { WorkPermit } from './queue/work-permit.js';
import { EventClaims } from './relay/event-claims.js';
import { RelayService } from './relay/relay.service.js';
import { ReplayRunnerService } from './relay/replay-runner.service.js';
import { newWebhookClient } from './sender/new-webhook-client.js';
import { WebhookClient } from './sender/webhook-client.js';

const SERVICES = [
  AttemptPolicy,
  DeliveryProcessor,
  DeliverySlots,
  FeederService,
  HostLimiters,
  InFlightDeliveries,
  LeaseRenewer,
  OwedDeliveries,
  QueueExamination,
  QueueLossDetector,
  ReceiverLimiters,
  RelayService,
  ReplayRunnerService,
  WorkPermit,
];

/** From the outbox to the receiver, in the order of the folders: relay, queue, attempt, sender. */
@Module({
  imports: [UpkeepModule],
  providers: [
    ...SERVICES,
    {
      provide: DeliveryQueue,
      inject: [SETTINGS_TOKEN, OutageLog],
      useFactory: (settings: Settings, outages: OutageLog) =>
        DeliveryQueue.open(settings, (error) => {
          if (settings.REDIS_URL === undefined)
            outages.lasts(POSTGRESQL, describeDatabaseOutage(error) ?? String(error));
          else outages.lasts(REDIS, describeRedisOutage(error));
        }),
    },
    { provide: WebhookClient, inject: [SETTINGS_TOKEN], useFactory: newWebhookClient },
    AttemptLoader,
    AttemptRecorder,
    AttemptRunner,
    AttemptTelemetry,
    AttemptsService,
    BoundedQueue,
    BroughtDeliveries,
    EventClaims,
    KeyCache,
    SecretCache,
    SlowReceivers,
  ],
  exports: [DeliveryQueue, ...SERVICES],
})
export class DeliveriesModule {}
