import { Clock, Database } from '#libs/database';
import { Mailer } from '#libs/mail';
import { Links } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { Loop } from '../loop.js';
import { WorkerTelemetry } from '../telemetry/worker-telemetry.js';
import { CUSTOMER_COPIES } from './customer-copies.js';
import type { ClaimedMail, MailKind } from './mail-kind.js';
import { retryMailAt } from './mail-retry.js';
import { SIGN_IN_NOTICES } from './sign-in-notices.js';
import { WEBHOOK_NOTICES } from './webhook-notices.js';

/**
 * Sends the mails that are owed. Each kind has a loop of its own, so that none waits for another.
 * Round trips when idle: PostgreSQL 4 every ten seconds.
 */
@Injectable()
export class MailsService {
  private readonly copiesLoop = this.newLoop(CUSTOMER_COPIES);
  private readonly noticesLoop = this.newLoop(WEBHOOK_NOTICES);
  private readonly signInsLoop = this.newLoop(SIGN_IN_NOTICES);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mailer: Mailer,
    private readonly links: Links,
    private readonly telemetry: WorkerTelemetry,
  ) {}

  start(): void {
    this.copiesLoop.start();
    this.noticesLoop.start();
    this.signInsLoop.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.copiesLoop.stop(), this.noticesLoop.stop(), this.signInsLoop.stop()]);
  }

  /** A webhook was disabled. */
  wakeNotices(): void {
    this.noticesLoop.wake();
  }

  /** Returns how many it tried to send. */
  async sendDue<Row extends ClaimedMail>(kind: MailKind<Row>): Promise<number> {
    const due = await this.database.system().rows<Row>(kind.claim, [this.clock.now()]);
    for (const row of due) await this.send(kind, row);
    return due.length;
  }

  private newLoop<Row extends ClaimedMail>(kind: MailKind<Row>): Loop {
    return new Loop({
      round: async () => ((await this.sendDue(kind)) > 0 ? 0 : kind.pollMs),
      onError: (error) => this.telemetry.interrupted('mails could not be sent and are tried again', error),
      errorPauseMs: kind.pollMs,
    });
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
