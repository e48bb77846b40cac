import { ExpiredRecordsService } from '#libs/access';
import { RawMailsService } from '#libs/mailboxes';
import { StorageModule } from '#libs/storage';
import { DeletedTicketsService, FilesService, SearchWalksService, SnoozedTicketsService } from '#libs/tickets';
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
  imports: [StorageModule],
  providers: [
    DeletedTicketsService,
    FilesService,
    RawMailsService,
    SearchWalksService,
    SnoozedTicketsService,
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
