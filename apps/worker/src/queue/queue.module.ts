import { POSTGRESQL, describeDatabaseOutage } from '#libs/database';
import { REDIS, describeRedisOutage } from '#libs/redis';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { OutageLog } from '#libs/telemetry';
import { DeliveryQueue } from '#libs/webhooks';
import { Module } from '@nestjs/common';
import { FairnessModule } from '../fairness/fairness.module.js';
import { BoundedQueue } from './bounded-queue.js';
import { BroughtDeliveries } from './brought-deliveries.js';
import { FeederService } from './feeder.service.js';
import { InFlightDeliveries } from './in-flight-deliveries.js';
import { LeaseRenewer } from './lease-renewer.js';
import { OwedDeliveries } from './owed-deliveries.js';
import { QueueExamination } from './queue-examination.js';
import { QueueLossDetector } from './queue-loss-detector.js';
import { WorkPermit } from './work-permit.js';

const SERVICES = [
  QueueExamination,
  WorkPermit,
  OwedDeliveries,
  InFlightDeliveries,
  LeaseRenewer,
  QueueLossDetector,
  BoundedQueue,
  BroughtDeliveries,
  FeederService,
];

@Module({
  imports: [FairnessModule],
  providers: [
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
    ...SERVICES,
  ],
  exports: [DeliveryQueue, ...SERVICES],
})
export class QueueModule {}
