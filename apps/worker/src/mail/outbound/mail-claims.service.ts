import { Bell, Clock, Database, uuidAt } from '#libs/database';
import type { CaughtMail } from '#libs/entities';
import {
  CATCH_MAIL,
  CLAIM_MAILS,
  type ClaimedMail,
  END_MAIL,
  type EndedState,
  HAND_OVER_MAIL,
  KEEP_MAILS,
  POSTPONE_MAIL,
  type SendOutcome,
} from '#libs/mail';
import { Injectable } from '@nestjs/common';
import { nextTryAt } from './next-try.js';

/** Without renewal, another worker claims the mail. */
const LEASE_MS = 30_000;
export const RENEW_INTERVAL_MS = 8_000;

export interface FreeConnections {
  readonly shared: number;
  readonly own: number;
}

export interface MailLimits {
  readonly ofServer: number;
  readonly ofAccount: { readonly own: number; readonly shared: number };
}

export type HeldMail = Pick<ClaimedMail, 'id' | 'lease'>;

/** One round trip per method. */
@Injectable()
export class MailClaimsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly bell: Bell,
  ) {}

  /** Accounts with fewer mails in hand come first. */
  claim(inHand: readonly ClaimedMail[], free: FreeConnections, limits: MailLimits): Promise<ClaimedMail[]> {
    const now = this.clock.now();
    const held = [
      inHand.map(({ lane }) => lane),
      inHand.map(({ accountId }) => accountId),
      inHand.map(({ byOwnServer }) => byOwnServer),
    ];
    const { ofServer, ofAccount } = limits;
    const values = [
      now,
      this.clock.in(LEASE_MS),
      uuidAt(now),
      free.shared,
      free.own,
      ...held,
      ofServer,
      ofAccount.own,
      ofAccount.shared,
    ];
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
        return this.keepCaught(mail, outcome.caught);
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
          ? this.postpone(mail, outcome.reason, at)
          : this.end(mail, 'failed', `Given up after three days. ${outcome.reason}`);
      }
    }
  }

  private async end({ id, lease }: HeldMail, state: EndedState, reason: string | null): Promise<void> {
    await this.database.system().rows(END_MAIL, [id, lease, state, reason, this.clock.now()]);
  }

  private async keepCaught({ id, lease }: HeldMail, caught: CaughtMail): Promise<void> {
    await this.database.system().rows(CATCH_MAIL, [id, lease, caught, this.clock.now()]);
  }

  private async postpone({ id, lease, tries }: ClaimedMail, reason: string, until: Date): Promise<void> {
    await this.database.system().rows(POSTPONE_MAIL, [id, lease, reason, until, tries]);
  }

  async giveBack({ id, lease, tries }: ClaimedMail): Promise<void> {
    await this.database.system().rows(POSTPONE_MAIL, [id, lease, null, this.clock.now(), tries - 1]);
  }
}
