import { Expiry } from '#libs/access';
import { Mailer } from '#libs/mail';
import { Links } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { WebhookDisabling } from '#libs/webhooks';
import type { Provider } from '@nestjs/common';
import { Partitions } from './partitions/partitions.js';
import type { Task } from './task.js';
import { TaskTurns } from './task-turns.js';
import { ActivitiesTask } from './tasks/activities.task.js';
import { DeletedTicketsTask } from './tasks/deleted-tickets.task.js';
import { ExpiredTask } from './tasks/expired.task.js';
import { HealthTask } from './tasks/health.task.js';
import { NoticesTask } from './tasks/notices.task.js';
import { RetentionTask } from './tasks/retention.task.js';
import { StrayFilesTask } from './tasks/stray-files.task.js';
import { UndeliverableTask } from './tasks/undeliverable.task.js';
import { TASKS, Upkeep } from './upkeep.service.js';
import { WebhookEnds } from './webhook-ends.js';
import { WebhookNotices } from '../mail/webhook-notices.js';

const ALL_TASKS = [
  RetentionTask,
  ExpiredTask,
  DeletedTicketsTask,
  StrayFilesTask,
  ActivitiesTask,
  UndeliverableTask,
  HealthTask,
  NoticesTask,
];

/** The keeping of the house: what it is made of. */
export const UPKEEP: Provider[] = [
  Expiry,
  Mailer,
  { provide: Links, inject: [SETTINGS_TOKEN], useFactory: (settings: Settings) => new Links(settings.PUBLIC_URL) },
  WebhookDisabling,
  Partitions,
  ...ALL_TASKS,
  { provide: TASKS, inject: ALL_TASKS, useFactory: (...tasks: Task[]) => tasks },
  TaskTurns,
  WebhookEnds,
  WebhookNotices,
  Upkeep,
];
