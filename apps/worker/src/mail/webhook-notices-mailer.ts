import { Clock, Database, systemStatement } from '#libs/database';
import { Mailer } from '#libs/mail';
import { Links } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { Loop } from '../loop.js';
import { WorkerTelemetry } from '../telemetry/worker-telemetry.js';
import { HOUR_MS } from '../durations.js';
import { type WebhookNotice, noticeMail } from './notice-mail.js';
import { retryMailAt } from './mail-retry.js';

const REASON = 'Mail about webhooks that were switched off goes to people of every account';

/** A worker that dies after the claim may have sent the mail, so nobody sends it again. */
const CLAIM_NOTICES = systemStatement(
  'notice_claim',
  REASON,
  `update webhook_notices n set claimed_at = $1, tries = tries + 1 where id in (
     select id from webhook_notices where claimed_at is null and due_at <= $1 order by due_at limit 10 for update skip locked)
   returning id, webhook_id as "webhookId", email, event, url, reason, tries, created_at as "createdAt",
     (select name from accounts a where a.id = n.account_id) as account`,
);

const DELETE_NOTICE = systemStatement('notice_done', REASON, 'delete from webhook_notices where id = $1');

const RESCHEDULE_NOTICE = systemStatement(
  'notice_later',
  REASON,
  'update webhook_notices set claimed_at = null, due_at = $2 where id = $1',
);

const DELETE_STALE_NOTICES = systemStatement(
  'notice_left',
  REASON,
  'delete from webhook_notices where claimed_at < $1 returning webhook_id as "webhookId"',
);

const NOTICES_POLL_MS = 10_000;

/**
 * Mails the owner and the admins of an account when a webhook of theirs is disabled, each person at most once. The notice
 * is written in the commit that disables the webhook, so no crash loses it.
 * Round trips when idle: PostgreSQL 1 every ten seconds.
 */
@Injectable()
export class WebhookNoticesMailer {
  private readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.telemetry.interrupted('the mailer for webhook notices failed and starts again', error),
    errorPauseMs: NOTICES_POLL_MS,
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mailer: Mailer,
    private readonly links: Links,
    private readonly telemetry: WorkerTelemetry,
  ) {}

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** A webhook was disabled. */
  wake(): void {
    this.loop.wake();
  }

  /** Returns how many it tried to send. */
  async sendDue(): Promise<number> {
    const notices = await this.database.system().rows<WebhookNotice>(CLAIM_NOTICES, [this.clock.now()]);
    for (const notice of notices) await this.send(notice);
    return notices.length;
  }

  /** Deletes notices whose worker died after the claim. Returns how many people may not have been told. */
  async deleteStale(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - HOUR_MS);
    return (await this.database.system().rows(DELETE_STALE_NOTICES, [before])).length;
  }

  private async round(): Promise<number> {
    return (await this.sendDue()) > 0 ? 0 : NOTICES_POLL_MS;
  }

  private async send(notice: WebhookNotice): Promise<void> {
    const sent = await this.mailer.trySend(noticeMail(notice, this.links));
    this.telemetry.noticeSent(notice.webhookId, sent);
    const retryAt = retryMailAt(sent, notice, this.clock.now());
    const system = this.database.system();
    if (retryAt === null) await system.rows(DELETE_NOTICE, [notice.id]);
    else await system.rows(RESCHEDULE_NOTICE, [notice.id, retryAt]);
  }
}
