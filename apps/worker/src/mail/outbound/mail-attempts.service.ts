import { type SendOutcome, SmtpSender, caughtMail, mailRoute } from '#libs/mail';
import type { LoadedMail } from '#libs/mailboxes';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { retryTransient } from '../../retry-transient.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { MailClaimsService } from './mail-claims.service.js';
import { MailWritersService } from './mail-writers.service.js';

const NOT_COMPOSED = 'The email could not be composed.';

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
      this.telemetry.interrupted('an email could not be composed and will be retried', error);
      return { result: 'postponed', reason: NOT_COMPOSED };
    }
  }
}
