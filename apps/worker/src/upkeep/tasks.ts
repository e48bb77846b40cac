import { ExpiredRecordsService } from '#libs/access';
import { RawMailsService } from '#libs/mailboxes';
import { FilesService, TicketUpkeepService } from '#libs/tickets';
import type { Provider, Type } from '@nestjs/common';
import { HOUR_MS, MINUTE_MS } from '../durations.js';
import { OrphanCleanupService } from './orphan-cleanup.service.js';
import { PartitionsService } from './partitions.service.js';
import { RetentionService } from './retention.service.js';
import { type Task, type TaskReport, inBatches, UPKEEP_TASKS, UpkeepService } from './upkeep.service.js';
import { WebhookUpkeepService } from './webhook-upkeep.service.js';

/** How late a snoozed ticket may reopen. */
const SNOOZE_MS = 10_000;

const TASKS = [
  task('retention', HOUR_MS, RetentionService, (retention) => retention.run()),
  task('expired', 10 * MINUTE_MS, OrphanCleanupService, (leftOvers) => leftOvers.deleteExpired()),
  task('deleted_tickets', HOUR_MS, TicketUpkeepService, (tickets) => counted('tickets', () => tickets.purge())),
  task('snoozed_tickets', SNOOZE_MS, TicketUpkeepService, (tickets) => counted('woken', () => tickets.wake())),
  task('stray_files', HOUR_MS, FilesService, (files) => counted('files', () => files.removeStray())),
  task('raw_mails', HOUR_MS, OrphanCleanupService, (leftOvers) => leftOvers.deleteRawMails()),
  task('activities', HOUR_MS, OrphanCleanupService, (leftOvers) => leftOvers.deleteActivities()),
  task('undeliverable', MINUTE_MS, WebhookUpkeepService, (webhooks) => webhooks.cancelUndeliverable()),
  task('backlog', 5 * MINUTE_MS, WebhookUpkeepService, (webhooks) => webhooks.noteBacklog()),
  task('delivery_counts', HOUR_MS, WebhookUpkeepService, (webhooks) => webhooks.deleteOldCounts()),
  task('health', 5 * MINUTE_MS, WebhookUpkeepService, (webhooks) => webhooks.checkHealth()),
  task('ended_mails', HOUR_MS, OrphanCleanupService, (leftOvers) => leftOvers.deleteEndedMails()),
];

const counted = async (what: string, takeSome: () => Promise<number>): Promise<TaskReport> => ({
  [what]: await inBatches(takeSome),
});

function task<Service>(
  name: string,
  everyMs: number,
  service: Type<Service>,
  run: (service: Service) => Promise<TaskReport>,
) {
  return { service, withService: (found: Service): Task => ({ name, everyMs, run: () => run(found) }) };
}

export const UPKEEP_PROVIDERS: Provider[] = [
  ExpiredRecordsService,
  FilesService,
  OrphanCleanupService,
  PartitionsService,
  RawMailsService,
  RetentionService,
  TicketUpkeepService,
  UpkeepService,
  WebhookUpkeepService,
  {
    provide: UPKEEP_TASKS,
    inject: TASKS.map(({ service }) => service),
    useFactory: (...services: never[]) => TASKS.map(({ withService }, place) => withService(services[place]!)),
  },
];
