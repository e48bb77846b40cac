import { ExpiredRecordsService } from '#libs/access';
import { DeskUpkeepModule } from '#libs/desk';
import { WebhookDisablingService } from '#libs/webhooks';
import { Module } from '@nestjs/common';
import { AutoDisableService } from './auto-disable.service.js';
import { DeliveryCounts } from './delivery-counts.js';
import { LeftOvers } from './left-overs.js';
import { Partitions } from './partitions/partitions.js';
import { Retention } from './retention.js';
import { TaskSchedule } from './task-schedule.js';
import { TASKS } from './tasks.js';
import { UPKEEP_TASKS, UpkeepService } from './upkeep.service.js';
import { WebhookUpkeep } from './webhook-upkeep.js';

@Module({
  imports: [DeskUpkeepModule],
  providers: [
    UpkeepService,
    TaskSchedule,
    {
      provide: UPKEEP_TASKS,
      inject: TASKS.map(({ service }) => service),
      useFactory: (...services: never[]) => TASKS.map(({ withService }, place) => withService(services[place]!)),
    },
    Retention,
    Partitions,
    LeftOvers,
    ExpiredRecordsService,
    WebhookUpkeep,
    WebhookDisablingService,
    AutoDisableService,
    DeliveryCounts,
  ],
  exports: [UpkeepService, AutoDisableService],
})
export class UpkeepModule {}
