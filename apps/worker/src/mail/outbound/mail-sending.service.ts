import { type SendOutcome, SmtpSender, caughtMail, mailRoute } from '#libs/mail';
import type { LoadedMail } from '#libs/mailboxes';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { LiveWorkersService } from '../../live-workers.service.js';
import { Loop, UNTIL_WOKEN } from '../../loop.js';
import { retryTransient } from '../../micro-batch.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { MailClaimsService, RENEW_INTERVAL_MS } from './mail-claims.service.js';
import { MailWritersService } from './mail-writers.service.js';

const COULD_NOT_BE_WRITTEN = 'The mail could not be written.';

@Injectable()
export class MailAttemptsService {
  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    private readonly claims: MailClaimsService,
    private readonly writers: MailWritersService,
    private readonly sender: SmtpSender,
    private readonly telemetry: WorkerMetrics,
  ) {}

  /** Round trips: handing over 1, the outcome 1. `stopping` gives the mail back before the handover. */
  async attempt(mail: LoadedMail, stopping: AbortSignal): Promise<void> {
    const outcome = await this.send(mail, stopping);
    this.telemetry.mailTried(mail, outcome);
    const isGivenBack = stopping.aborted && outcome.result === 'postponed';
    await retryTransient(() => (isGivenBack ? this.claims.giveBack(mail) : this.claims.record(mail, outcome)));
  }

  private async send(mail: LoadedMail, signal: AbortSignal): Promise<SendOutcome> {
    try {
      const written = await this.writers.write(mail);
      if ('nothing' in written) return { result: 'refused', reason: written.nothing };
      // A link that sets a password is one agent’s secret.
      if (mailRoute(this.settings) === 'caught' && mail.kind !== 'link' && !written.server)
        return { result: 'caught', caught: caughtMail(written, this.settings.MAIL_FROM) };
      return await this.sender.send(written, { signal, mayHandOver: () => this.claims.handOver(mail) });
    } catch (error) {
      this.telemetry.interrupted('a mail could not be written and is tried again', error);
      return { result: 'postponed', reason: COULD_NOT_BE_WRITTEN };
    }
  }
}

/** Round trips: PostgreSQL 1 to claim mails, and 1 to renew leases while sending. */
@Injectable()
export class MailSendingService {
  readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.telemetry.interrupted('mails could not be taken and are tried again', error),
  });
  private readonly renewal = new Loop({
    round: async () => {
      await this.claims.renew([...this.inHand.keys()]);
      return RENEW_INTERVAL_MS;
    },
    onError: (error) => this.telemetry.interrupted('the leases of mails could not be renewed', error),
  });
  private readonly inHand = new Map<LoadedMail, Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly claims: MailClaimsService,
    private readonly attempts: MailAttemptsService,
    private readonly workers: LiveWorkersService,
    private readonly telemetry: WorkerMetrics,
  ) {}

  start(): void {
    this.loop.start();
    this.renewal.start();
  }

  /** Waits for mails that were handed over, and gives back the others. */
  async stop(): Promise<void> {
    await this.loop.stop();
    this.stopping.abort();
    await Promise.all(this.inHand.values());
    await this.renewal.stop();
  }

  private async round(): Promise<number> {
    const claimed = await this.claims.claim([...this.inHand.keys()], (total) => this.workers.shareOf(total));
    for (const mail of claimed) this.inHand.set(mail, this.attempt(mail));
    return UNTIL_WOKEN;
  }

  private async attempt(mail: LoadedMail): Promise<void> {
    try {
      await this.attempts.attempt(mail, this.stopping.signal);
    } catch (error) {
      this.telemetry.interrupted('what came of a mail could not be recorded', error);
    } finally {
      this.inHand.delete(mail);
      this.loop.wake();
    }
  }
}
