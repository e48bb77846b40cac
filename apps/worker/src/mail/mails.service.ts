import { Clock, Database } from '#libs/database';
import { Mailer } from '#libs/mail';
import { Links } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { Loop } from '../loop.js';
import { WorkerTelemetry } from '../telemetry/worker-telemetry.js';
import { CUSTOMER_COPIES } from './customer-copies.js';
import type { ClaimedMail, MailKind } from './mail-kind.js';
import { retryMailAt } from './mail-retry.js';
import { WEBHOOK_NOTICES } from './webhook-notices.js';

const MAIL_POLL_MS = 5_000;

/** Sends the mails that are owed. Round trips when idle: PostgreSQL 2 every five seconds. */
@Injectable()
export class MailsService {
  readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.telemetry.interrupted('mails could not be sent and are tried again', error),
    errorPauseMs: MAIL_POLL_MS,
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mailer: Mailer,
    private readonly links: Links,
    private readonly telemetry: WorkerTelemetry,
  ) {}

  private async round(): Promise<number> {
    const tried = (await this.sendDue(CUSTOMER_COPIES)) + (await this.sendDue(WEBHOOK_NOTICES));
    return tried > 0 ? 0 : MAIL_POLL_MS;
  }

  /** Returns how many it tried to send. */
  async sendDue<Row extends ClaimedMail>(kind: MailKind<Row>): Promise<number> {
    const due = await this.database.system().rows<Row>(kind.claim, [this.clock.now()]);
    for (const row of due) await this.send(kind, row);
    return due.length;
  }

  private async send<Row extends ClaimedMail>(kind: MailKind<Row>, row: Row): Promise<void> {
    const result = await this.mailer.send(kind.compose(row, this.links));
    kind.report(this.telemetry, row, result);
    const retryAt = retryMailAt(result, row, this.clock.now());
    const system = this.database.system();
    if (retryAt === null) await system.rows(kind.done, [row.id]);
    else await system.rows(kind.retry, [row.id, retryAt]);
  }
}
