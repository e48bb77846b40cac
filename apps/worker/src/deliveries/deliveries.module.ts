import { POSTGRESQL, describeDatabaseOutage } from '#libs/database';
import { REDIS, describeRedisOutage } from '#libs/redis';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { OutageLog } from '#libs/telemetry';
import { DeliveryQueue } from '#libs/webhooks';
import { Module } from '@nestjs/common';
import { UpkeepModule } from '../upkeep/upkeep.module.js';
import { AttemptLoader } from './attempt/attempt-loader.js';
import { AttemptPolicyService } from './attempt/attempt-policy.service.js';
import { AttemptRecorder } from './attempt/attempt-recorder.js';
import { AttemptRunner } from './attempt/attempt-runner.js';
import { AttemptMetrics } from './attempt/attempt-metrics.js';
import { AttemptsService } from './attempt/attempts.service.js';
import { DeliveryProcessor } from './attempt/delivery.processor.js';
import { KeyCache } from './attempt/key-cache.js';
import { SecretCache } from './attempt/secret-cache.js';
import { DeliverySlotLimiter } from './limits/delivery-slot-limiter.js';
import { HostLimitersService } from './limits/host-limiters.service.js';
import { ReceiverLimitersService } from './limits/receiver-limiters.service.js';
import { SlowReceiversService } from './limits/slow-receivers.service.js';
import { BoundedQueue } from './queue/bounded-queue.js';
import { ClaimedDeliveryCache } from './queue/claimed-delivery-cache.js';
import { FeederService } from './queue/feeder.service.js';
import { InFlightDeliveriesService } from './queue/in-flight-deliveries.service.js';
import { LeaseRenewer } from './queue/lease-renewer.js';
import { OwedDeliveriesService } from './queue/owed-deliveries.service.js';
import { QueueExaminationService } from './queue/queue-examination.service.js';
import { QueueLossDetector } from './queue/queue-loss-detector.js';
import { WorkPermitService } from './queue/work-permit.service.js';
import { EventClaimsService } from './relay/event-claims.service.js';
import { RelayService } from './relay/relay.service.js';
import { ReplayRunnerService } from './relay/replay-runner.service.js';
import { newWebhookClient } from './sender/new-webhook-client.js';
import { WebhookClient } from './sender/webhook-client.js';

const SERVICES = [
  AttemptPolicyService,
  DeliveryProcessor,
  DeliverySlotLimiter,
  FeederService,
  HostLimitersService,
  InFlightDeliveriesService,
  LeaseRenewer,
  OwedDeliveriesService,
  QueueExaminationService,
  QueueLossDetector,
  ReceiverLimitersService,
  RelayService,
  ReplayRunnerService,
  WorkPermitService,
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
    AttemptMetrics,
    AttemptsService,
    BoundedQueue,
    ClaimedDeliveryCache,
    EventClaimsService,
    KeyCache,
    SecretCache,
    SlowReceiversService,
  ],
  exports: [DeliveryQueue, ...SERVICES],
})
export class DeliveriesModule {}
