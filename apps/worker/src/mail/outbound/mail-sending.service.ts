import type { LoadedMail } from '#libs/mailboxes';
import { Injectable } from '@nestjs/common';
import { LiveWorkersService } from '../../live-workers.service.js';
import { Loop, UNTIL_WOKEN } from '../../loop.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { MailClaimsService, RENEW_INTERVAL_MS } from './mail-claims.service.js';
import { MailAttemptsService } from './mail-attempts.service.js';

/** Round trips: PostgreSQL 1 to claim emails, and 1 to renew leases while sending. */
@Injectable()
export class MailSendingService {
  readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.telemetry.interrupted('emails could not be claimed and will be retried', error),
  });
  private readonly renewal = new Loop({
    round: async () => {
      await this.claims.renew([...this.inHand.keys()]);
      return RENEW_INTERVAL_MS;
    },
    onError: (error) => this.telemetry.interrupted('the leases of emails could not be renewed', error),
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

  /** Waits for emails that were handed over, and gives back the others. */
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
      this.telemetry.interrupted('the outcome of an email could not be recorded', error);
    } finally {
      this.inHand.delete(mail);
      this.loop.wake();
    }
  }
}
