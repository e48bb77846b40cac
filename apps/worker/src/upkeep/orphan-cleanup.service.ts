import { ExpiredRecordsService } from '#libs/access';
import { Clock, Database, later, systemStatement } from '#libs/database';
import { deleteActivitiesBefore } from '#libs/events';
import { HELD_MAILS_KEPT_DAYS, RawMailsService } from '#libs/mailboxes';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { deleteReplacedSecrets } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '../durations.js';
import { type TaskReport, inBatches } from './task.js';

const BATCH = 2_000;

/** People ask who invited or revoked whom long after the events have been deleted. */
const ACTIVITIES_KEPT_MS = 365 * DAY_MS;

/** Told on the page that shows them. */
const HELD_MAILS_KEPT_MS = HELD_MAILS_KEPT_DAYS * DAY_MS;

const removal = (table: string, condition: string) =>
  systemStatement(
    `left_over_${table}`,
    'Upkeep takes what has ended from all accounts alike',
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${condition} limit ${BATCH} for update skip locked)) returning 1`,
  );

/** An hour after they expire, so that a wrong clock deletes none that still counts. */
const IDEMPOTENCY_KEYS = removal('idempotency_keys', "created_at < $1::timestamptz - interval '25 hours'");
const HEARTBEATS = removal('worker_heartbeats', "seen_at < $1::timestamptz - interval '1 day'");
/** What became of the mail of a message is told as long as there is the message. */
const ENDED_MAILS = removal('outgoing_mails', 'message_id is null and copy_of is null and ended_at < $1');

/** Deletes rows whose time has passed. */
@Injectable()
export class OrphanCleanupService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly access: ExpiredRecordsService,
    private readonly rawMails: RawMailsService,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  /** Credentials, idempotency keys, secrets and heartbeats. */
  async deleteExpired(): Promise<TaskReport> {
    const idempotencyKeys = await this.remove(IDEMPOTENCY_KEYS);
    const webhookSecrets = await deleteReplacedSecrets(this.database.system(), this.clock.now());
    await this.remove(HEARTBEATS);
    return { ...(await this.purgeAccess()), idempotency_keys: idempotencyKeys, webhook_secrets: webhookSecrets };
  }

  /** Activities of no ticket. Those of a ticket are deleted with the ticket. */
  async deleteActivities(): Promise<TaskReport> {
    const before = later(this.clock.now(), -ACTIVITIES_KEPT_MS);
    return { activities: await inBatches(() => deleteActivitiesBefore(this.database.system(), before, BATCH)) };
  }

  /** Bytes of mails without files. An operator can inspect them while events are kept; those of other mails are removed at once. */
  async deleteRawMails(): Promise<TaskReport> {
    const now = this.clock.now();
    const before = later(now, -this.settings.RETENTION_DAYS * DAY_MS);
    const heldBefore = later(now, -HELD_MAILS_KEPT_MS);
    return {
      raw_mails: await inBatches(() => this.rawMails.giveUp(before, now)),
      held_mails: await inBatches(() => this.rawMails.discardHeld(heldBefore, now)),
    };
  }

  async deleteEndedMails(): Promise<TaskReport> {
    const before = later(this.clock.now(), -this.settings.RETENTION_DAYS * DAY_MS);
    return { mails: await this.remove(ENDED_MAILS, before) };
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

  private remove(statement: typeof HEARTBEATS, before = this.clock.now()): Promise<number> {
    return inBatches(async () => (await this.database.system().rows(statement, [before])).length);
  }
}
