import { ExpiredRecordsService } from '#libs/access';
import { RawMailsService } from '#libs/mailboxes';
import { StorageModule } from '#libs/storage';
import { DeletedTicketsService, FilesService, SearchWalksService, SnoozedTicketsService } from '#libs/tickets';
import { WebhookDisablingService } from '#libs/webhooks';
import { Module } from '@nestjs/common';
import { AutoDisableService } from './auto-disable.service.js';
import { DeliveryCountsService } from './delivery-counts.service.js';
import { OrphanCleanupService } from './orphan-cleanup.service.js';
import { PartitionsService } from './partitions/partitions.service.js';
import { RetentionService } from './retention.service.js';
import { TaskScheduleService } from './task-schedule.service.js';
import { TASKS } from './tasks.js';
import { UPKEEP_TASKS, UpkeepService } from './upkeep.service.js';
import { WebhookUpkeepService } from './webhook-upkeep.service.js';

@Module({
  imports: [StorageModule],
  providers: [
    DeletedTicketsService,
    FilesService,
    RawMailsService,
    SearchWalksService,
    SnoozedTicketsService,
    UpkeepService,
    TaskScheduleService,
    {
      provide: UPKEEP_TASKS,
      inject: TASKS.map(({ service }) => service),
      useFactory: (...services: never[]) => TASKS.map(({ withService }, place) => withService(services[place]!)),
    },
    RetentionService,
    PartitionsService,
    OrphanCleanupService,
    ExpiredRecordsService,
    WebhookUpkeepService,
    WebhookDisablingService,
    AutoDisableService,
    DeliveryCountsService,
  ],
  exports: [UpkeepService, AutoDisableService],
})
export class UpkeepModule {}
