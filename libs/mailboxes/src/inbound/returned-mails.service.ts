import { Database, Transactions, accountStatement, filter, rangeOf } from '#libs/database';
import { EventsService } from '#libs/events';
import { bounceMail } from '#libs/mail';
import { returnTokenIn } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { type ClaimedArrival, endArrival } from './arrival.statements.js';
import type { IdentifiedMail } from './read-mail.js';
import { deliveryReportIn } from './delivery-report.js';

const FIND = accountStatement(
  'mail_returned_find',
  `select s.id, s.ticket_id as "ticketId", t.number, o.recipient
   from (
     select coalesce(message_id, copy_of) as message_id, recipient from outgoing_mails
     where ${rangeOf('return_token', '$2')} and ${filter('account_id = $1')} order by return_token limit 1
   ) o left join messages s on s.id = o.message_id left join tickets t on t.id = s.ticket_id`,
);

/** A mail of ours that came back, or to which something came where servers report. */
export interface ReturnedMail {
  readonly token: string;
  /** Null for one that brings no message: a mailbox was tested. */
  readonly message: ReturnedMessage | null;
}

interface ReturnedMessage {
  readonly id: string;
  readonly ticketId: string;
  readonly number: number;
  /** The recipient of the bounced mail. */
  readonly recipient: string;
}

/** No agent acts, and no application: a server reports. */
const NOBODY = { agentId: null, applicationId: null, requestId: null };

/** Mails of ours that come back, which are known by the address that they come to. */
@Injectable()
export class ReturnedMailsService {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly events: EventsService,
  ) {}

  /** Null for a mail to any other address. One round trip for one to an address for returns. */
  async find({ accountId, envelopeTo }: ClaimedArrival, mail: IdentifiedMail): Promise<ReturnedMail | null> {
    const token = [envelopeTo ?? '', ...mail.recipients].map(returnTokenIn).find((one) => one !== null);
    if (!token) return null;
    const found = await this.database.account(accountId).row<ReturnedMessage | { readonly id: null }>(FIND, [token]);
    return found ? { token, message: found.id === null ? null : found } : null;
  }

  /** Programs answer there too, and what they write is a message. */
  isReport(mail: IdentifiedMail): boolean {
    return deliveryReportIn(mail.files) !== null;
  }

  /** What a server reports of a mail of ours is shown with its message, and is no message itself. */
  async take(arrival: ClaimedArrival, mail: IdentifiedMail, { token, message }: ReturnedMail): Promise<void> {
    const failure = deliveryReportIn(mail.files)?.failure ?? null;
    const { mailId, contentHash, from } = mail;
    const said = { mailId, contentHash, sender: from.address };
    await this.transactions.run(arrival, async (tx, now) => {
      const end = { ...said, state: 'understood', reason: 'delivery_report' } as const;
      await endArrival(tx, arrival.id, { ...end, ...(message && { ticketId: message.ticketId }) }, now);
      const isNews = failure !== null && (await bounceMail(tx, { token, reason: failure }, now));
      if (!isNews || message === null) return;
      const { id, ticketId, number, recipient } = message;
      const activity = { ticketId, subject: `#${number}`, detail: { message: id, recipient } };
      await this.events.recordActivity(tx, NOBODY, 'mail_bounced', activity);
    });
  }
}
