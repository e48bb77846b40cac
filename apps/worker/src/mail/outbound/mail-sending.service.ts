import type { ClaimedMail } from '#libs/mail';
import { Injectable } from '@nestjs/common';
import { LiveWorkersService } from '../../live-workers.service.js';
import { Loop } from '../../loop.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { MailAttemptsService } from './mail-attempts.service.js';
import { MailClaimsService, type MailLimits, RENEW_INTERVAL_MS } from './mail-claims.service.js';

/** Finds due retries, and mails whose notification was missed. */
const POLL_MS = 1_000;
/**
 * For all workers. More connections to the installation’s server are not faster; mailboxes’ servers may hang for
 * minutes.
 */
const MAX_CONNECTIONS = { shared: 8, own: 32 };
const LIMITS = { ofServer: 2, ofAccount: { own: 12, shared: 6 } };

/** Round trips when idle: PostgreSQL 1 a second, and 1 more to renew leases while sending. */
@Injectable()
export class MailSendingService {
  private readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.telemetry.interrupted('mails could not be taken and are tried again', error),
    errorPauseMs: POLL_MS,
  });
  private readonly renewal = new Loop({
    round: async () => {
      await this.claims.renew([...this.inHand.keys()]);
      return RENEW_INTERVAL_MS;
    },
    onError: (error) => this.telemetry.interrupted('the leases of mails could not be renewed', error),
  });
  private readonly inHand = new Map<ClaimedMail, Promise<void>>();
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

  wake(): void {
    this.loop.wake();
  }

  /** Waits for mails that were handed over, and gives back the others. */
  async stop(): Promise<void> {
    await this.loop.stop();
    this.stopping.abort();
    await Promise.all(this.inHand.values());
    await this.renewal.stop();
  }

  private async round(): Promise<number> {
    const inHand = [...this.inHand.keys()];
    const own = inHand.filter(({ byOwnServer }) => byOwnServer).length;
    const free = {
      own: this.share(MAX_CONNECTIONS.own) - own,
      shared: this.share(MAX_CONNECTIONS.shared) - (inHand.length - own),
    };
    if (free.own > 0 || free.shared > 0)
      for (const mail of await this.claims.claim(inHand, free, this.limits()))
        this.inHand.set(mail, this.attempt(mail));
    return POLL_MS;
  }

  private share(total: number): number {
    return this.workers.shareOf(total);
  }

  private limits(): MailLimits {
    const { own, shared } = LIMITS.ofAccount;
    return { ofServer: this.share(LIMITS.ofServer), ofAccount: { own: this.share(own), shared: this.share(shared) } };
  }

  private async attempt(mail: ClaimedMail): Promise<void> {
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
