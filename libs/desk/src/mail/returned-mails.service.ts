import { type AccountConnection, Database, Transactions, accountStatement } from '#libs/database';
import { EventsService } from '#libs/events';
import { bounceMail } from '#libs/mail';
import { Injectable } from '@nestjs/common';
import { type ClaimedArrival, endArrival } from './arrival.statements.js';
import type { IdentifiedMail } from './read-mail.js';
import { deliveryReportIn } from './delivery-report.js';
import { returnTokenIn } from './reply-addresses.js';

const FIND = accountStatement(
  'mail_returned_find',
  `select s.id as "messageId", s.ticket_id as "ticketId", t.number
   from outgoing_mails o join messages s on s.id = o.message_id join tickets t on t.id = s.ticket_id
   where o.account_id = $1 and o.return_token = $2`,
);

/** The message whose mail came back, or to whose mail something came where servers report. */
export interface ReturnedMessage {
  readonly token: string;
  readonly messageId: string;
  readonly ticketId: string;
  readonly number: number;
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
  async messageOf({ accountId, envelopeTo }: ClaimedArrival, mail: IdentifiedMail): Promise<ReturnedMessage | null> {
    const token = [envelopeTo ?? '', ...mail.recipients].map(returnTokenIn).find((one) => one !== null);
    if (!token) return null;
    const found = await find(this.database.account(accountId), token);
    return found ? { ...found, token } : null;
  }

  /** Programs answer there too, and what they write is a message. */
  isReport(mail: IdentifiedMail): boolean {
    return deliveryReportIn(mail.files) !== null;
  }

  /** What a server reports of a mail of ours is shown with its message, and is no message itself. */
  async take(arrival: ClaimedArrival, mail: IdentifiedMail, returned: ReturnedMessage): Promise<void> {
    const failure = deliveryReportIn(mail.files)?.failure ?? null;
    const { messageId, ticketId, number, token } = returned;
    const { mailId, contentHash, from } = mail;
    const said = { mailId, contentHash, sender: from.address };
    await this.transactions.run(arrival, async (tx, now) => {
      const end = { ...said, state: 'understood', reason: 'delivery_report', ticketId } as const;
      await endArrival(tx, arrival.id, end, now);
      if (failure === null || !(await bounceMail(tx, { token, reason: failure }, now))) return;
      const activity = { ticketId, subject: `#${number}`, detail: { message: messageId } };
      await this.events.recordActivity(tx, NOBODY, 'mail_bounced', activity);
    });
  }
}

const find = (account: AccountConnection, token: string): Promise<Omit<ReturnedMessage, 'token'> | undefined> =>
  account.row<Omit<ReturnedMessage, 'token'>>(FIND, [token]);
