import { importFolder } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER } from '#libs/telemetry';
import { HandOver } from '#libs/events';
import { DeliveryQueue, EventContentService, HandOverService } from '#libs/delivery';
import { WebhookDisablingService } from '#libs/webhooks';
import { Global, Module, type Type } from '@nestjs/common';
import { INJECTABLE_WATERMARK } from '@nestjs/common/internal';
import { WorkerMetrics } from '../telemetry/worker-metrics.js';
import { WebhookClient, newWebhookClient } from './sender/webhook-client.js';

const files = await importFolder(import.meta.dirname, /^[a-z]+\/(?!.*\.spec\.).*\.[jt]s$/);

const SERVICES = files
  .flatMap((exported) => Object.values(exported))
  .filter((value): value is Type => typeof value === 'function' && Reflect.hasOwnMetadata(INJECTABLE_WATERMARK, value));

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
