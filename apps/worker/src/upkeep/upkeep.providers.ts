import { ExpiredRecordsService } from '#libs/access';
import { Mailer } from '#libs/mail';
import { Links } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { WebhookDisablingService } from '#libs/webhooks';
import type { Provider } from '@nestjs/common';
import { Partitions } from './partitions/partitions.js';
import type { Task } from './task.js';
import { TaskSchedule } from './task-schedule.js';
import { ActivitiesTask } from './tasks/activities.task.js';
import { DeletedTicketsTask } from './tasks/deleted-tickets.task.js';
import { ExpiredTask } from './tasks/expired.task.js';
import { FailingWebhooksTask } from './tasks/failing-webhooks.task.js';
import { StaleNoticesTask } from './tasks/stale-notices.task.js';
import { RetentionTask } from './tasks/retention.task.js';
import { StrayFilesTask } from './tasks/stray-files.task.js';
import { UndeliverableDeliveriesTask } from './tasks/undeliverable-deliveries.task.js';
import { UPKEEP_TASKS, UpkeepService } from './upkeep.service.js';
import { AutoDisableService } from './auto-disable.service.js';
import { WebhookNoticesMailer } from '../mail/webhook-notices-mailer.js';

const TASK_CLASSES = [
  RetentionTask,
  ExpiredTask,
  DeletedTicketsTask,
  StrayFilesTask,
  ActivitiesTask,
  UndeliverableDeliveriesTask,
  FailingWebhooksTask,
  StaleNoticesTask,
];

/** The keeping of the house: what it is made of. */
export const UPKEEP_PROVIDERS: Provider[] = [
  ExpiredRecordsService,
  Mailer,
  { provide: Links, inject: [SETTINGS_TOKEN], useFactory: (settings: Settings) => new Links(settings.PUBLIC_URL) },
  WebhookDisablingService,
  Partitions,
  ...TASK_CLASSES,
  { provide: UPKEEP_TASKS, inject: TASK_CLASSES, useFactory: (...tasks: Task[]) => tasks },
  TaskSchedule,
  AutoDisableService,
  WebhookNoticesMailer,
  UpkeepService,
];
