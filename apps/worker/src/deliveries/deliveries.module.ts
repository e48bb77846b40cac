import { POSTGRESQL, describeDatabaseOutage } from '#libs/database';
import { REDIS, describeRedisOutage } from '#libs/redis';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { OutageLog } from '#libs/telemetry';
import { DeliveryQueue, WebhookDisablingService } from '#libs/webhooks';
import { Module } from '@nestjs/common';
import { AttemptLoader } from './attempt/attempt-loader.js';
import { AttemptPolicyService } from './attempt/attempt-policy.service.js';
import { AttemptRecorder } from './attempt/attempt-recorder.js';
import { AttemptRunner, DeliveryProcessor } from './attempt/delivery.processor.js';
import { AttemptMetrics } from './attempt/attempt-metrics.js';
import { AttemptsService } from './attempt/attempts.service.js';
import { SecretCache } from './attempt/secret-cache.js';
import { DeliverySlotLimiter } from './limits/delivery-slot-limiter.js';
import { HostLimitersService } from './limits/host-limiters.service.js';
import { ReceiverLimitersService, SlowReceiversService } from './limits/receiver-limiters.service.js';
import { BoundedQueue } from './queue/bounded-queue.js';
import { FeederService } from './queue/feeder.service.js';
import { InFlightDeliveriesService } from './queue/in-flight-deliveries.service.js';
import { OwedDeliveriesService } from './queue/owed-deliveries.service.js';
import { QueueLossWatch } from './queue/queue-loss-watch.js';
import { WorkPermitService } from './queue/work-permit.service.js';
import { EventClaimsService } from './queue/event-claims.service.js';
import { RelayService } from './relay/relay.service.js';
import { ReplayRunnerService } from './relay/replay-runner.service.js';
import { WebhookClient, newWebhookClient } from './sender/webhook-client.js';

const SERVICES = [
  AttemptPolicyService,
  DeliveryProcessor,
  DeliverySlotLimiter,
  FeederService,
  HostLimitersService,
  InFlightDeliveriesService,
  OwedDeliveriesService,
  QueueLossWatch,
  ReceiverLimitersService,
  RelayService,
  ReplayRunnerService,
  WorkPermitService,
];

@Module({
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
    EventClaimsService,
    SecretCache,
    SlowReceiversService,
    WebhookDisablingService,
  ],
  exports: [DeliveryQueue, ...SERVICES],
})
export class DeliveriesModule {}
