import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER } from '#libs/telemetry';
import { HandOver } from '#libs/events';
import { DeliveryQueue, EventContentService, HandOverService } from '#libs/delivery';
import { WebhookDisablingService } from '#libs/webhooks';
import { Global, Module } from '@nestjs/common';
import { WorkerMetrics } from '../telemetry/worker-metrics.js';
import { WebhookClient, newWebhookClient } from './sender/webhook-client.js';
import { AttemptLoader } from './attempt/attempt-loader.js';
import { AttemptMetrics } from './attempt/attempt-metrics.js';
import { AttemptPolicyService } from './attempt/attempt-policy.service.js';
import { AttemptRecorder } from './attempt/attempt-recorder.js';
import { AttemptRunner } from './attempt/attempt-runner.js';
import { AttemptsService } from './attempt/attempts.service.js';
import { DeliveryProcessor } from './attempt/delivery.processor.js';
import { FirstAttemptsService } from './attempt/first-attempts.service.js';
import { OwedAttemptsService } from './attempt/owed-attempts.service.js';
import { SecretCache } from './attempt/secret-cache.js';
import { DeliverySlotLimiter } from './limits/delivery-slot-limiter.js';
import { ReceiverLimitersService } from './limits/receiver-limiters.service.js';
import { SlowReceiversService } from './limits/slow-receivers.service.js';
import { BoundedQueue } from './queue/bounded-queue.js';
import { FeederService } from './queue/feeder.service.js';
import { LeasesService } from './queue/leases.service.js';
import { RelayService } from './relay/relay.service.js';
import { ReplayRunnerService } from './relay/replay-runner.service.js';

const SERVICES = [
  AttemptLoader,
  AttemptMetrics,
  AttemptPolicyService,
  AttemptRecorder,
  AttemptRunner,
  AttemptsService,
  DeliveryProcessor,
  FirstAttemptsService,
  OwedAttemptsService,
  SecretCache,
  DeliverySlotLimiter,
  ReceiverLimitersService,
  SlowReceiversService,
  BoundedQueue,
  FeederService,
  LeasesService,
  RelayService,
  ReplayRunnerService,
];

@Global()
@Module({
  providers: [
    ...SERVICES,
    WebhookDisablingService,
    EventContentService,
    { provide: WebhookClient, inject: [SETTINGS_TOKEN, LOGGER], useFactory: newWebhookClient },
    {
      provide: DeliveryQueue,
      inject: [SETTINGS_TOKEN, WorkerMetrics],
      useFactory: (settings: Settings, telemetry: WorkerMetrics) =>
        DeliveryQueue.open(
          settings,
          (error) => {
            if (settings.REDIS_URL === undefined) telemetry.interrupted('the queue failed', error);
            else telemetry.redisFailed(error);
          },
          () => telemetry.queueAnswers(),
        ),
    },
    {
      provide: HandOver,
      inject: [SETTINGS_TOKEN, DeliveryQueue, EventContentService],
      useFactory: (settings: Settings, queue: DeliveryQueue, contents: EventContentService) =>
        settings.REDIS_URL === undefined ? undefined : new HandOverService(queue, contents),
    },
  ],
  exports: [DeliveryQueue, HandOver, ...SERVICES],
})
export class DeliveriesModule {}
