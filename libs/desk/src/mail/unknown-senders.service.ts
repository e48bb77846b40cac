import { Clock, Database, accountStatement, filter, rowByKey } from '#libs/database';
import type { Mailbox } from '#libs/entities';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';

const DAY_MS = 24 * 60 * 60 * 1000;
const KIB = 1024;

const KNOWN = `select exists (select from ${rowByKey('customers', 'email', '$2')} c)
  or exists (select from ${rowByKey('agents', 'email', '$2')} a where a.state = 'active') as known`;

const IS_KNOWN = accountStatement('unknown_sender_find', KNOWN);

/** One statement, so that API processes that count at the same time agree. */
const COUNT = accountStatement(
  'unknown_sender_count',
  `with sender as (${KNOWN}), counted as (
     update mailboxes set unknown_senders_day = $4,
       unknown_senders_kib = $5 + case when unknown_senders_day = $4 then unknown_senders_kib else 0 end
     from sender
     where not known and id = $3 and ${filter('account_id = $1')}
       and $5 + case when unknown_senders_day = $4 then unknown_senders_kib else 0 end <= $6
     returning 1
   )
   select known or exists (select from counted) as accepted from sender`,
);

/** The mailbox has received as much from unknown senders today as it may. */
export class TooMuchFromUnknownSenders extends Error {}

/**
 * Bounds how much mail a mailbox stores in a day for senders who are no customers yet. The sender in the envelope is a claim: a
 * sender who names the address of a customer is not counted. Then only the reserve on the disk remains.
 */
@Injectable()
export class UnknownSendersService {
  private readonly maxKib: number;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(SETTINGS_TOKEN) { MAIL_UNKNOWN_SENDERS_MIB_PER_DAY }: Settings,
  ) {
    this.maxKib = MAIL_UNKNOWN_SENDERS_MIB_PER_DAY * KIB;
  }

  /** Before a mail arrives. One round trip if the mailbox has used up its bytes, otherwise none. */
  async refuseUsedUp({ accountId, unknownSendersDay, unknownSendersKib }: Mailbox, sender: string): Promise<void> {
    if (unknownSendersDay !== this.today() || unknownSendersKib < this.maxKib) return;
    const found = await this.database.account(accountId).row<{ known: boolean }>(IS_KNOWN, [sender.toLowerCase()]);
    if (!found!.known) throw new TooMuchFromUnknownSenders();
  }

  /** One round trip. */
  async count({ accountId, id }: Mailbox, sender: string, bytes: number): Promise<void> {
    const values = [sender.toLowerCase(), id, this.today(), Math.ceil(bytes / KIB), this.maxKib];
    const { accepted } = (await this.database.account(accountId).row<{ accepted: boolean }>(COUNT, values))!;
    if (!accepted) throw new TooMuchFromUnknownSenders();
  }

  /** Days of UTC since 1970. */
  private today(): number {
    return Math.floor(this.clock.now().getTime() / DAY_MS);
  }
}
