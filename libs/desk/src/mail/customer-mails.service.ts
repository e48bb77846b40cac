import { type AccountTx, Transactions, isUuid } from '#libs/database';
import { Agent, Conflict, type Mailbox, type Message, NotFound, type Ticket } from '#libs/entities';
import { EventsService } from '#libs/events';
import { type MailRoute, mailRoute, oweMail, oweMailAgain } from '#libs/mail';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { readLiveMessage, readMessage } from '../message.statements.js';
import type { NewTicket } from '../new-ticket.js';
import type { RequestContext } from '../request-context.js';
import { newReturnToken } from './reply-addresses.js';

export interface StartedTicket {
  readonly wanted: NewTicket;
  /** The agent who starts it, if one does. */
  readonly author: Agent | null;
  readonly ticket: Ticket;
  readonly messageId: string;
}

/** Messages that go to customers by mail. What is owed is written with the message, and a worker sends it. */
@Injectable()
export class CustomerMailsService {
  readonly route: MailRoute;

  constructor(
    @Inject(SETTINGS_TOKEN) settings: Settings,
    private readonly transactions: Transactions,
    private readonly events: EventsService,
  ) {
    this.route = mailRoute(settings);
  }

  /** Where a reply from this mailbox goes besides its ticket. What pages say of mail is this. */
  routeOf({ repliesByMail, hasSmtp }: Mailbox): MailRoute {
    if (!repliesByMail) return 'none';
    return hasSmtp ? 'smtp' : this.route;
  }

  /**
   * Where the mailbox says so, what agents write for the customer. A message with a time of its own was written elsewhere
   * before, and went to the customer then.
   */
  oweReply(tx: AccountTx, message: Message, { mailbox, customer }: Ticket, now: Date): void {
    const isReply = message.author instanceof Agent && !message.note && message.sentAt === null;
    if (!isReply || this.routeOf(mailbox) === 'none') return;
    this.owe(tx, { messageId: message.id, mailbox, customer }, now);
    message.delivery = 'queued';
  }

  /** The same for what an agent writes to start a ticket, where whoever starts it does not say otherwise. */
  oweFirst(tx: AccountTx, { wanted, author, ticket, messageId }: StartedTicket, now: Date): void {
    const isWanted = wanted.copyToCustomer ?? (ticket.mailbox.repliesByMail && wanted.sentAt === undefined);
    if (!isWanted || author === null || wanted.note || !this.sends(ticket.mailbox)) return;
    this.owe(tx, { messageId, mailbox: ticket.mailbox, customer: ticket.customer }, now);
  }

  /** Only a person asks for it: what ended as unsure may have arrived. */
  async sendAgain(context: RequestContext, id: string): Promise<Message> {
    if (!isUuid(id)) throw new NotFound('message');
    return this.transactions.run(context, async (tx, now) => {
      const { ticketId, ticketNumber } = await readLiveMessage(tx, id);
      if (!(await oweMailAgain(tx, id, now)))
        throw new Conflict('not_sent_again', 'Only a mail that was not sent, or of which nobody knows, is sent again.');
      const activity = { ticketId, subject: `#${ticketNumber}`, detail: { message: id } };
      await this.events.recordActivity(tx, context, 'mail_sent_again', activity);
      return readMessage(tx, id);
    });
  }

  private sends({ hasSmtp }: Mailbox): boolean {
    return hasSmtp || this.route !== 'none';
  }

  private owe(tx: AccountTx, { messageId, mailbox, customer }: MessageToOwe, now: Date): void {
    oweMail(
      tx,
      { kind: 'message', recipient: customer.email, messageId, mailboxId: mailbox.id, returnToken: newReturnToken() },
      now,
    );
  }
}

interface MessageToOwe extends Pick<Ticket, 'mailbox' | 'customer'> {
  readonly messageId: string;
}
