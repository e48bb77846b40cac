import { ExpiredRecordsService } from '#libs/access';
import { DeskUpkeepModule } from '#libs/desk';
import { WebhookDisablingService } from '#libs/webhooks';
import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module.js';
import { WorkerTelemetryModule } from '../telemetry/worker-telemetry.module.js';
import { AutoDisableService } from './auto-disable.service.js';
import { Partitions } from './partitions/partitions.js';
import type { Task } from './task.js';
import { TaskSchedule } from './task-schedule.js';
import { ActivitiesTask } from './tasks/activities.task.js';
import { DeletedTicketsTask } from './tasks/deleted-tickets.task.js';
import { ExpiredTask } from './tasks/expired.task.js';
import { FailingWebhooksTask } from './tasks/failing-webhooks.task.js';
import { RetentionTask } from './tasks/retention.task.js';
import { StaleNoticesTask } from './tasks/stale-notices.task.js';
import { StrayFilesTask } from './tasks/stray-files.task.js';
import { UndeliverableDeliveriesTask } from './tasks/undeliverable-deliveries.task.js';
import { UPKEEP_TASKS, UpkeepService } from './upkeep.service.js';

const TASKS = [
  RetentionTask,
  ExpiredTask,
  DeletedTicketsTask,
  StrayFilesTask,
  ActivitiesTask,
  UndeliverableDeliveriesTask,
  FailingWebhooksTask,
  StaleNoticesTask,
];

@Module({
  imports: [DeskUpkeepModule, MailModule, WorkerTelemetryModule],
  providers: [
    UpkeepService,
    TaskSchedule,
    { provide: UPKEEP_TASKS, inject: TASKS, useFactory: (...tasks: Task[]) => tasks },
    ...TASKS,
    ExpiredRecordsService,
    Partitions,
    WebhookDisablingService,
    AutoDisableService,
  ],
  exports: [UpkeepService, AutoDisableService],
})
export class UpkeepModule {}
