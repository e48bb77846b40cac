import { Bell, Clock, Database, later, uuidAt } from '#libs/database';
import {
  CATCH_MAIL,
  CLAIM_MAILS,
  type ClaimedMail,
  END_MAIL,
  HAND_OVER_MAIL,
  KEEP_MAILS,
  POSTPONE_MAIL,
  type SendOutcome,
} from '#libs/mail';
import { backoffMs } from '#libs/pacing';
import { Injectable } from '@nestjs/common';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.js';

/** Without renewal, another worker claims the mail. */
const LEASE_MS = 30_000;
export const RENEW_INTERVAL_MS = 8_000;

/**
 * For all workers. More connections to the installation’s server are not faster; mailboxes’ servers may hang for
 * minutes.
 */
const MAX_CONNECTIONS = { shared: 8, own: 32 };
const MAX_OF_SERVER = 2;
const MAX_OF_ACCOUNT = { own: 12, shared: 6 };

type HeldMail = Pick<ClaimedMail, 'id' | 'lease'>;

/** One round trip per method. */
@Injectable()
export class MailClaimsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly bell: Bell,
  ) {}

  /** Accounts with fewer mails in hand come first. `shareOf` gives this worker’s part of a number. */
  async claim(inHand: readonly ClaimedMail[], shareOf: (total: number) => number): Promise<ClaimedMail[]> {
    const own = inHand.filter(({ byOwnServer }) => byOwnServer).length;
    const free = [shareOf(MAX_CONNECTIONS.shared) - (inHand.length - own), shareOf(MAX_CONNECTIONS.own) - own];
    if (free.every((count) => count <= 0)) return [];
    const now = this.clock.now();
    const held = [
      inHand.map(({ lane }) => lane),
      inHand.map(({ accountId }) => accountId),
      inHand.map(({ byOwnServer }) => byOwnServer),
    ];
    const limits = [MAX_OF_SERVER, MAX_OF_ACCOUNT.own, MAX_OF_ACCOUNT.shared].map((total) => shareOf(total));
    const values = [now, this.clock.in(LEASE_MS), uuidAt(now), ...free, ...held, ...limits];
    return this.database.system().rows<ClaimedMail>(CLAIM_MAILS, values);
  }

  async renew(held: readonly HeldMail[]): Promise<void> {
    if (held.length === 0) return;
    const values = [held.map(({ id }) => id), held.map(({ lease }) => lease), this.clock.in(LEASE_MS)];
    await this.database.system().rows(KEEP_MAILS, values);
  }

  /**
   * Commits before the end of the mail is sent, after which it may have arrived. False if another worker has the lease.
   */
  async handOver({ id, lease }: HeldMail): Promise<boolean> {
    const values = [id, lease, this.clock.now(), this.clock.in(LEASE_MS)];
    return (await this.database.system().row(HAND_OVER_MAIL, values)) !== undefined;
  }

  /** Rings the bell for open tickets. */
  async record(mail: ClaimedMail, outcome: SendOutcome): Promise<void> {
    this.bell.ring(mail.accountId);
    switch (outcome.result) {
      case 'lost':
        return;
      case 'caught':
        return this.run(CATCH_MAIL, mail, outcome.caught, this.clock.now());
      case 'sent':
        return this.end(mail, 'sent', null);
      case 'unsure':
        return this.end(mail, 'unsure', outcome.reason);
      case 'refused':
        return this.end(mail, 'failed', outcome.reason);
      case 'postponed': {
        // A person waits for the check.
        if (mail.kind === 'test') return this.end(mail, 'failed', outcome.reason);
        const at = nextTryAt(mail, this.clock.now());
        return at
          ? this.run(POSTPONE_MAIL, mail, outcome.reason, at, mail.tries)
          : this.end(mail, 'failed', `Given up after three days. ${outcome.reason}`);
      }
    }
  }

  giveBack(mail: ClaimedMail): Promise<void> {
    return this.run(POSTPONE_MAIL, mail, null, this.clock.now(), mail.tries - 1);
  }

  private end(mail: HeldMail, state: 'sent' | 'unsure' | 'failed', reason: string | null): Promise<void> {
    return this.run(END_MAIL, mail, state, reason, this.clock.now());
  }

  private async run(statement: typeof END_MAIL, { id, lease }: HeldMail, ...values: readonly unknown[]): Promise<void> {
    await this.database.system().rows(statement, [id, lease, ...values]);
  }
}

const GIVE_UP_AFTER_MS = 3 * DAY_MS;
const BACKOFF = { firstMs: MINUTE_MS, maxMs: 4 * HOUR_MS };

/** Null for never. The first pause is a minute; pauses double up to four hours, for three days. */
export function nextTryAt({ tries, queuedAt }: Pick<ClaimedMail, 'tries' | 'queuedAt'>, now: Date): Date | null {
  const at = later(now, backoffMs(tries, BACKOFF));
  return at.getTime() - queuedAt.getTime() > GIVE_UP_AFTER_MS ? null : at;
}
