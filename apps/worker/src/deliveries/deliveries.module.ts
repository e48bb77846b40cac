import { POSTGRESQL, describeDatabaseOutage, importFolder } from '#libs/database';
import { REDIS, describeRedisOutage } from '#libs/redis';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, OutageLog } from '#libs/telemetry';
import { HandOver } from '#libs/events';
import { DeliveryQueue, HandOverService, WebhookDisablingService } from '#libs/webhooks';
import { Global, Module, type Type } from '@nestjs/common';
import { INJECTABLE_WATERMARK } from '@nestjs/common/internal';
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
    { provide: WebhookClient, inject: [SETTINGS_TOKEN, LOGGER], useFactory: newWebhookClient },
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
    {
      provide: HandOver,
      inject: [SETTINGS_TOKEN, DeliveryQueue],
      useFactory: (settings: Settings, queue: DeliveryQueue) =>
        settings.REDIS_URL === undefined ? undefined : new HandOverService(queue),
    },
  ],
  exports: [DeliveryQueue, HandOver, ...SERVICES],
})
export class DeliveriesModule {}
