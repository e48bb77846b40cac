import type { ClaimedMail } from '#libs/mail';
import { Injectable } from '@nestjs/common';
import { LiveWorkersService } from '../../live-workers.service.js';
import { Loop } from '../../loop.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { MailAttemptsService } from './mail-attempts.service.js';
import { MailClaimsService, type MailLimits, RENEW_EVERY_MS } from './mail-claims.service.js';

/** For what was said while nobody listened, and for what is tried again. */
const POLL_MS = 1_000;
/**
 * Connections to the mail server of the installation, where more of them would not be faster; and to those of mailboxes, many
 * of which may hang for minutes.
 */
const PLACES = { shared: 8, own: 32 };
/** For the server of one mailbox, and of one account for either kind of server. */
const MOST = { ofServer: 2, ofAccount: { own: 12, shared: 6 } };

/**
 * Sends the mails that are owed. Round trips when idle: PostgreSQL 1 a second, and 1 more for the renewal of the leases while
 * something is being sent.
 */
@Injectable()
export class MailSendingService {
  private readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.telemetry.interrupted('mails could not be taken and are tried again', error),
    errorPauseMs: POLL_MS,
  });
  private readonly renewal = new Loop({
    round: async () => {
      await this.claims.keep([...this.inHand.keys()]);
      return RENEW_EVERY_MS;
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

  /** A mail is owed. */
  wake(): void {
    this.loop.wake();
  }

  /** What was handed over is waited for, and everything else is given back. */
  async stop(): Promise<void> {
    await this.loop.stop();
    this.stopping.abort();
    await Promise.all(this.inHand.values());
    await this.renewal.stop();
  }

  private async round(): Promise<number> {
    const inHand = [...this.inHand.keys()];
    const own = inHand.filter(({ byOwnServer }) => byOwnServer).length;
    const free = { own: this.share(PLACES.own) - own, shared: this.share(PLACES.shared) - (inHand.length - own) };
    if (free.own > 0 || free.shared > 0)
      for (const mail of await this.claims.claim(inHand, free, this.limits()))
        this.inHand.set(mail, this.attempt(mail));
    return POLL_MS;
  }

  /** All workers together have so many, and each at least one. */
  private share(most: number): number {
    return this.workers.shareOf(most);
  }

  private limits(): MailLimits {
    const { own, shared } = MOST.ofAccount;
    return { ofServer: this.share(MOST.ofServer), ofAccount: { own: this.share(own), shared: this.share(shared) } };
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
