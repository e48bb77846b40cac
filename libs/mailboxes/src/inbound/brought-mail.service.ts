import { type AccountTx, Transactions } from '#libs/database';
import type { Attachment, Message, Ticket } from '#libs/entities';
import { type DomainEvent, EventsService, describeTicketActivity } from '#libs/events';
import {
  CustomerMailsService,
  MAX_KEPT_RECIPIENTS,
  NEXT_NUMBER,
  type NewTicket,
  type RenderedBody,
  addCustomer,
  customerOf,
  insertMessage,
  insertTicket,
  lockTicket,
  newMessage,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { type ArrivalEnd, type ClaimedArrival, endArrival, refuseKnown } from './arrival.statements.js';
import type { ArrivalPlace } from './arrival-place.js';
import { MailAttachmentsService } from './mail-attachments.service.js';
import { titleOf } from './mail-body.js';
import { MailContentsService } from './mail-contents.service.js';
import { withPictures } from './mail-pictures.js';
import type { IdentifiedMail } from './read-mail.js';

/** A mail that is understood, and what it has to do with. */
export interface BroughtMail {
  readonly arrival: ClaimedArrival;
  readonly mail: IdentifiedMail;
  readonly place: ArrivalPlace;
  readonly outcome: Pick<ArrivalEnd, 'state' | 'reason' | 'verdicts'>;
}

/** The same with all that needs no transaction done. */
interface PreparedMail extends BroughtMail {
  readonly body: string;
  readonly rendered: RenderedBody;
  readonly files: readonly Attachment[];
}

/** No agent acts, and no application: a mail came. */
const NOBODY = { agentId: null, applicationId: null, requestId: null };

/** Brings a mail into the desk: a message of the ticket that it answers, or a ticket. All of it in one transaction, or nothing. */
@Injectable()
export class BroughtMailService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly contents: MailContentsService,
    private readonly attachments: MailAttachmentsService,
    private readonly mails: CustomerMailsService,
  ) {}

  async bring(brought: BroughtMail): Promise<void> {
    const { body, files, rendered } = await this.contents.render(brought.arrival, brought.mail);
    await this.attachments.keeping(brought.arrival, files, (kept) => {
      const { ticket } = brought.place;
      const prepared = { ...brought, body, rendered: withPictures(rendered, files, kept), files: kept };
      return ticket ? this.join(prepared, ticket.number) : this.start(prepared);
    });
  }

  /** What a person sees of one that is held. */
  show(arrival: ClaimedArrival, mail: IdentifiedMail): ReturnType<MailContentsService['show']> {
    return this.contents.show(arrival, mail);
  }

  private async start(mail: PreparedMail): Promise<void> {
    const { arrival, place, rendered } = mail;
    const account = this.transactions.account(arrival);
    const { number } = (await account.row<{ number: number }>(NEXT_NUMBER))!;
    const references = { author: null, mailbox: place.mailbox, assignee: null, group: null, closer: null };
    await this.transactions.run(arrival, async (tx, now) => {
      const wanted = { ...ticketOf(mail), peopleInCopy: await this.peopleInCopy(tx, mail, mail.mail.from.address) };
      const made = await insertTicket(tx, { wanted, rendered, references, number, now });
      const { ticket, customer, added, messageId } = made;
      await this.attachments.add(tx, NOBODY, { id: messageId, ticket, files: mail.files, now });
      await this.endArrival(tx, mail, { ticketId: ticket.id, messageId, startedTicket: true }, now);
      await this.noteAnswered(tx, place, ticket);
      if (isOlder(mail)) return this.noteQuietly(tx, 'older_mail_came', ticket, messageId);
      await this.events.record(tx, NOBODY, ...(added ? [['customer_added', customer] as const] : []), [
        'ticket_started',
        ticket,
      ]);
    });
  }

  private async join(mail: PreparedMail, number: number): Promise<void> {
    const { arrival, place, rendered, files } = mail;
    await this.transactions.run(arrival, async (tx, now) => {
      const ticket = await lockTicket(tx, number);
      await refuseKnown(tx, arrival, { ...mail.mail, ticketId: ticket.id });
      const { customer, added } = await addCustomer(tx, customerOf(mail.mail.from, place.isCustomer), now);
      const written = {
        body: mail.body,
        rendered,
        sentAt: timeOf(arrival),
        ...recipientsOf(mail),
        channel: 'email' as const,
      };
      const message = newMessage(written, ticket, customer, now);
      const isQuiet = isAutomatic(mail) || isOlder(mail);
      if (!isQuiet) ticket.ccAddresses = await this.peopleInCopy(tx, mail, ticket.customer.email);
      const happened = receive(message, ticket, { isQuiet, now });
      await insertMessage(tx, message, ticket);
      message.attachments = await this.attachments.add(tx, NOBODY, { id: message.id, ticket, files, now });
      await this.endArrival(tx, mail, { ticketId: ticket.id, messageId: message.id }, now);
      if (happened.length === 0)
        await this.noteQuietly(tx, isOlder(mail) ? 'older_mail_came' : 'automatic_mail_came', ticket, message.id);
      if (isOlder(mail)) return;
      if (happened.length > 0) await this.mails.oweNotice(tx, message, ticket, now);
      await this.events.record(tx, NOBODY, ...(added ? [['customer_added', customer] as const] : []), ...happened);
    });
  }

  /** Links the new ticket to the one that its mail answers. */
  private async noteAnswered(tx: AccountTx, { answered }: ArrivalPlace, ticket: Ticket): Promise<void> {
    if (answered === null) return;
    const kind = answered.isDeleted ? 'deleted_ticket_answered' : 'other_ticket_answered';
    await this.events.recordActivity(tx, NOBODY, kind, describeTicketActivity(ticket, { ticket: answered.number }));
  }

  /** Empty for a mail that a program wrote: the program could answer. */
  private async peopleInCopy(tx: AccountTx, mail: PreparedMail, customer: string): Promise<string[]> {
    if (isAutomatic(mail)) return [];
    const { arrival, place } = mail;
    return this.mails.peopleInCopy(tx, mail.mail, [customer, place.mailbox.email, arrival.envelopeTo ?? '']);
  }

  /** What wakes nobody, people or programs. */
  private noteQuietly(tx: AccountTx, kind: QuietMail, ticket: Ticket, message: string): Promise<void> {
    return this.events.recordActivity(tx, NOBODY, kind, describeTicketActivity(ticket, { message }));
  }

  private endArrival(
    tx: AccountTx,
    { arrival, mail, outcome, files }: PreparedMail,
    made: Pick<ArrivalEnd, 'ticketId' | 'messageId' | 'startedTicket'>,
    now: Date,
  ): Promise<void> {
    const { mailId, contentHash, from } = mail;
    const end = { ...outcome, ...made, mailId, contentHash, sender: from.address, isStoredTwice: files.length > 0 };
    return endArrival(tx, arrival.id, end, now);
  }
}

const recipientsOf = ({ mail: { to, cc } }: BroughtMail): Pick<NewTicket, 'toAddresses' | 'ccAddresses'> => ({
  toAddresses: to.slice(0, MAX_KEPT_RECIPIENTS),
  ccAddresses: cc.slice(0, MAX_KEPT_RECIPIENTS),
});

function ticketOf(prepared: PreparedMail): NewTicket {
  const { mail, body, place, arrival } = prepared;
  return {
    body,
    ...recipientsOf(prepared),
    from: customerOf(mail.from, place.isCustomer),
    to: { email: place.mailbox.email },
    title: titleOf(mail.subject),
    state: arrival.receivedAt ? 'closed' : 'unread',
    priority: null,
    tags: [],
    sentAt: timeOf(arrival),
    channel: 'email',
    isOlder: arrival.receivedAt !== null,
  };
}

/** A mail from one of the account’s own mailboxes is no person’s either: two of them could answer each other. */
const isAutomatic = ({ mail, place }: BroughtMail): boolean => mail.automatic || place.isMailbox;

type QuietMail = 'automatic_mail_came' | 'older_mail_came';

/** It was on the server before the mailbox was connected, and is brought in without a word to anybody. */
const isOlder = ({ arrival }: Pick<BroughtMail, 'arrival'>): boolean => arrival.receivedAt !== null;

const timeOf = ({ receivedAt, createdAt }: ClaimedArrival): Date => receivedAt ?? createdAt;

/** What the ticket makes of it. */
function receive(
  message: Message,
  ticket: Ticket,
  { isQuiet, now }: { readonly isQuiet: boolean; readonly now: Date },
): DomainEvent[] {
  if (isQuiet) {
    ticket.receiveAutomaticMail(message.plainTextBody, now);
    return [];
  }
  ticket.receiveCustomerReply(message.plainTextBody, now);
  return [['customer_replied', message]];
}
