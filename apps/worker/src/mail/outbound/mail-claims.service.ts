import { Clock, Database, arraysOf, later, uuidAt } from '#libs/database';
import {
  CAUGHT_REASON,
  type ClaimedMail,
  type MailLease,
  type MailRecord,
  type SendOutcome,
  handOverMails,
  recordMails,
  renewMails,
} from '#libs/mail';
import { CLAIM_MAILS, type LoadedMail, hostOf } from '#libs/mailboxes';
import { backoffMs } from '#libs/pacing';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.js';
import { MicroBatch } from '../../micro-batch.js';

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

/** Emails that are handed over or end within the time share a commit. */
const BATCH = { maxItems: MAX_CONNECTIONS.shared + MAX_CONNECTIONS.own, lingerMs: 2 };

type MailResult = Omit<MailRecord, keyof MailLease | 'tries'>;

/** One round trip per method. Emails that are handed over or end at almost the same time share one. */
@Injectable()
export class MailClaimsService {
  private readonly handovers = new MicroBatch<MailLease, boolean>((mails) => this.handOverAll(mails), BATCH);
  private readonly records = new MicroBatch<MailRecord, undefined>((mails) => this.recordAll(mails), BATCH);

  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Accounts with fewer emails in hand come first. `shareOf` gives this worker’s part of a number. */
  async claim(inHand: readonly ClaimedMail[], shareOf: (total: number) => number): Promise<LoadedMail[]> {
    const own = inHand.filter(({ byOwnServer }) => byOwnServer).length;
    const free = [shareOf(MAX_CONNECTIONS.shared) - (inHand.length - own), shareOf(MAX_CONNECTIONS.own) - own];
    if (free.every((count) => count <= 0)) return [];
    const now = this.clock.now();
    const held = arraysOf(inHand, 'lane', 'accountId', 'byOwnServer');
    const limits = [MAX_OF_SERVER, MAX_OF_ACCOUNT.own, MAX_OF_ACCOUNT.shared].map((total) => shareOf(total));
    const host = hostOf(this.settings);
    const values = [now, this.clock.in(LEASE_MS), uuidAt(now), ...free, ...held, ...limits, host];
    return this.database.system().rows<LoadedMail>(CLAIM_MAILS, values);
  }

  async renew(held: readonly MailLease[]): Promise<void> {
    await renewMails(this.database.system(), held, this.clock.in(LEASE_MS));
  }

  /**
   * Commits before the end of the mail is sent, after which it may have arrived. False if another worker has the lease.
   */
  handOver(mail: MailLease): Promise<boolean> {
    return this.handovers.run(mail);
  }

  async record(mail: ClaimedMail, outcome: SendOutcome): Promise<void> {
    const record = recordOf(mail, outcome, this.clock.now());
    if (record) await this.records.run({ ...mail, ...record });
  }

  async giveBack(mail: ClaimedMail): Promise<void> {
    await this.records.run({ ...mail, state: 'queued', reason: null, tries: mail.tries - 1 });
  }

  private async handOverAll(mails: readonly MailLease[]): Promise<boolean[]> {
    const times = { leasedUntil: this.clock.in(LEASE_MS), now: this.clock.now() };
    const ids = await handOverMails(this.database.system(), mails, times);
    return mails.map(({ id }) => ids.has(id));
  }

  private async recordAll(records: readonly MailRecord[]): Promise<undefined[]> {
    await recordMails(this.database.system(), records, this.clock.now());
    return [];
  }
}

const END_STATES = { sent: 'sent', unsure: 'unsure', refused: 'failed' } as const;

function recordOf(mail: ClaimedMail, outcome: SendOutcome, now: Date): MailResult | null {
  if (outcome.result === 'lost') return null;
  if (outcome.result === 'caught') return { state: 'caught', reason: CAUGHT_REASON, caught: outcome.caught };
  const reason = 'reason' in outcome ? outcome.reason : null;
  if (outcome.result !== 'postponed') return { state: END_STATES[outcome.result], reason };
  // A person waits for the check.
  if (mail.kind === 'test') return { state: 'failed', reason };
  const dueAt = nextTryAt(mail, now);
  return dueAt
    ? { state: 'queued', reason, dueAt }
    : { state: 'failed', reason: `Given up after three days. ${reason}` };
}

const GIVE_UP_AFTER_MS = 3 * DAY_MS;
const BACKOFF = { firstMs: MINUTE_MS, maxMs: 4 * HOUR_MS };

/** Null for never. The first pause is a minute; pauses double up to four hours, for three days. */
export function nextTryAt({ tries, queuedAt }: Pick<ClaimedMail, 'tries' | 'queuedAt'>, now: Date): Date | null {
  const at = later(now, backoffMs(tries, BACKOFF));
  return at.getTime() - queuedAt.getTime() > GIVE_UP_AFTER_MS ? null : at;
}
