import { ExpiredRecordsService } from '#libs/access';
import { Clock, Database, later } from '#libs/database';
import { deleteActivitiesBefore } from '#libs/events';
import { QUARANTINE_DAYS, RawMailsService } from '#libs/mailboxes';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { deleteReplacedSecrets } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '../durations.js';
import { type TaskReport, inBatches } from './upkeep.service.js';
import { deleteExpired } from './upkeep.statements.js';

const BATCH = 2_000;

/** The audit log outlives the events. */
const ACTIVITIES_KEPT_MS = 365 * DAY_MS;

@Injectable()
export class OrphanCleanupService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly access: ExpiredRecordsService,
    private readonly rawMails: RawMailsService,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  async deleteExpired(): Promise<TaskReport> {
    const idempotencyKeys = await this.remove('idempotency_keys');
    const webhookSecrets = await deleteReplacedSecrets(this.database.system(), this.clock.now());
    await this.remove('worker_heartbeats');
    await this.remove('api_clocks');
    return { ...(await this.purgeAccess()), idempotency_keys: idempotencyKeys, webhook_secrets: webhookSecrets };
  }

  /** The others are deleted with their ticket. */
  async deleteActivities(): Promise<TaskReport> {
    const before = later(this.clock.now(), -ACTIVITIES_KEPT_MS);
    return { activities: await inBatches(() => deleteActivitiesBefore(this.database.system(), before, BATCH)) };
  }

  /** Kept as long as events, for operators. */
  async deleteRawMails(): Promise<TaskReport> {
    const now = this.clock.now();
    const before = later(now, -this.settings.RETENTION_DAYS * DAY_MS);
    const quarantinedBefore = later(now, -QUARANTINE_DAYS * DAY_MS);
    return {
      raw_mails: await inBatches(() => this.rawMails.giveUp(before, now)),
      quarantined_mails: await inBatches(() => this.rawMails.discardQuarantined(quarantinedBefore, now)),
    };
  }

  async deleteEndedMails(): Promise<TaskReport> {
    const before = later(this.clock.now(), -this.settings.RETENTION_DAYS * DAY_MS);
    return { mails: await this.remove('outgoing_mails', before) };
  }

  private async purgeAccess(): Promise<TaskReport> {
    const all: Record<string, number> = {};
    await inBatches(async () => {
      const expired = await this.access.purge();
      for (const [kind, count] of Object.entries(expired)) all[kind] = (all[kind] ?? 0) + count;
      return Object.values(expired).reduce((sum, count) => sum + count, 0);
    });
    return all;
  }

  private remove(table: Parameters<typeof deleteExpired>[1], before = this.clock.now()): Promise<number> {
    return inBatches(() => deleteExpired(this.database.system(), table, before));
  }
}
