import { type AccountTx, Transactions } from '#libs/database';
import type { Agent, Customer, Message, Ticket } from '#libs/entities';
import { type Actor, CUSTOMER, EventsService, NO_ACTOR, describeTicketActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { attachFiles } from '../attachments/attachment.statements.js';
import { findOrCreateCustomer } from '../customers/customer.statements.js';
import { insertMessage, isOneOfMany } from '../messages/message.statements.js';
import { newMessage } from '../messages/new-message.js';
import { insertTicket } from '../new-ticket.statements.js';
import { CustomerMailsService } from '../recipients/customer-mails.service.js';
import { followMerges, lockTicket, nextTicketNumber } from '../ticket.statements.js';
import { type CustomerMail, customerOf, recipientsOf, ticketOf } from './customer-mail.js';
import type { StoredContent } from './mail-contents.service.js';

/** Called in the transaction, before the events: they are recorded last, because they lock the account's sequence. */
interface Observed {
  readonly onWritten: (written: { ticketId: string; messageId: string }) => Promise<void>;
}

interface StartingMail extends Observed {
  readonly number: number;
  readonly mail: CustomerMail;
  readonly title: string | null;
  /** The ticket that the mail answers but does not join. */
  readonly answered: { readonly number: number; readonly isDeleted: boolean } | null;
}

interface JoiningMail extends Observed {
  /** Locked. */
  readonly ticket: Ticket;
  readonly mail: CustomerMail;
}

interface AgentMail extends Observed {
  /** Locked. */
  readonly ticket: Ticket;
  readonly agent: Agent;
  readonly content: StoredContent;
}

/** Writes emails into tickets and records their events. */
@Injectable()
export class MailTicketsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly mails: CustomerMailsService,
  ) {}

  /** Called before the transaction that starts the ticket. One round trip. */
  nextNumber(scope: { readonly accountId: string }): Promise<number> {
    return nextTicketNumber(this.transactions.account(scope));
  }

  /** A merge may have come between reading the mail and its transaction. */
  lock(tx: AccountTx, number: number): Promise<Ticket> {
    return followMerges(number, (one) => lockTicket(tx, one));
  }

  async startFromMail(tx: AccountTx, starting: StartingMail, now: Date): Promise<void> {
    const { number, mail, title, answered, onWritten } = starting;
    const { mailbox, content } = mail;
    const references = { author: null, mailbox, assignee: null, group: null, closer: null };
    const peopleInCopy = await this.peopleInCopy(tx, mail, { customer: { email: mail.from.address }, ccAddresses: [] });
    const wanted = { ...ticketOf(mail, title), peopleInCopy };
    const draft = { wanted, rendered: content.rendered, references, number, applicationId: null, now };
    const { ticket, customer, added, messageId } = await insertTicket(tx, draft);
    const message = { id: messageId, ticketId: ticket.id, ticketNumber: number };
    await attachFiles(tx, this.events, NO_ACTOR, { message, files: content.files, limit: 'any number' }, now);
    await onWritten({ ticketId: ticket.id, messageId });
    if (answered) await this.linkAnswered(tx, answered, ticket);
    if (mail.isOlder) return this.recordQuietly(tx, 'older_mail_came', ticket, messageId);
    const addedCustomer = added ? [['customer_added', customer] as const] : [];
    await this.events.record(tx, CUSTOMER, ...addedCustomer, ['ticket_started', ticket]);
  }

  async joinFromMail(tx: AccountTx, { ticket, mail, onWritten }: JoiningMail, now: Date): Promise<void> {
    const { content, sentAt, isOlder } = mail;
    const { customer, added } = await findOrCreateCustomer(tx, customerOf(mail), now);
    const { body, rendered } = content;
    const written = { body, rendered, sentAt, ...recipientsOf(mail), channel: 'email' as const };
    const message = newMessage(written, ticket, customer, now);
    const isQuiet = mail.isAutomatic || isOlder || (await isOneOfMany(tx, message));
    if (isQuiet) ticket.receiveAutomaticMail(message.plainTextBody, now);
    else {
      ticket.ccAddresses = await this.peopleInCopy(tx, mail, ticket);
      ticket.receiveCustomerReply(message.plainTextBody, now);
    }
    await this.write(tx, NO_ACTOR, { message, ticket, content }, now);
    await onWritten({ ticketId: ticket.id, messageId: message.id });
    if (isOlder) return this.recordQuietly(tx, 'older_mail_came', ticket, message.id);
    if (isQuiet) await this.recordQuietly(tx, 'automatic_mail_came', ticket, message.id);
    else await this.mails.oweNotice(tx, message, ticket, now);
    const addedCustomer = added ? [['customer_added', customer] as const] : [];
    const replied = isQuiet ? [] : [['customer_replied', message, ticket] as const];
    await this.events.record(tx, CUSTOMER, ...addedCustomer, ...replied);
  }

  /** Like a reply in the console. */
  async replyFromMail(tx: AccountTx, { ticket, agent, content, onWritten }: AgentMail, now: Date): Promise<void> {
    const { body, rendered } = content;
    const ccAddresses = await this.mails.stillInCopy(tx, ticket);
    const toAddresses = [ticket.customer.email];
    const written = { body, rendered, toAddresses, ccAddresses, channel: 'email' as const };
    const message = newMessage(written, ticket, agent, now);
    const { state } = ticket;
    const opened = ticket.receiveAgentReply(message.plainTextBody, now, now);
    const actor = { agentId: agent.id, applicationId: null, requestId: null };
    await this.write(tx, actor, { message, ticket, content }, now);
    this.mails.oweReply(tx, message, ticket, now);
    await onWritten({ ticketId: ticket.id, messageId: message.id });
    const events = opened ? [['ticket_opened', ticket, { state: [state, ticket.state] }] as const] : [];
    await this.events.record(tx, actor, ['agent_replied', message, ticket], ...events);
  }

  private async write(
    tx: AccountTx,
    actor: Actor,
    {
      message,
      ticket,
      content,
    }: { readonly message: Message; readonly ticket: Ticket; readonly content: StoredContent },
    now: Date,
  ): Promise<void> {
    await insertMessage(tx, message, ticket);
    const { files } = content;
    await attachFiles(tx, this.events, actor, { message, files, limit: 'any number' }, now);
    message.attachments = files;
  }

  private async linkAnswered(tx: AccountTx, answered: NonNullable<StartingMail['answered']>, ticket: Ticket) {
    const kind = answered.isDeleted ? 'deleted_ticket_answered' : 'other_ticket_answered';
    const activity = describeTicketActivity(ticket, { ticket: answered.number });
    await this.events.recordActivity(tx, NO_ACTOR, kind, activity);
  }

  /** Unchanged by automatic mail, since a program could answer the replies. */
  private async peopleInCopy(
    tx: AccountTx,
    mail: CustomerMail,
    { customer, ccAddresses }: Pick<Ticket, 'ccAddresses'> & { readonly customer: Pick<Customer, 'email'> },
  ) {
    if (mail.isAutomatic || mail.isDoubtful) return ccAddresses;
    return this.mails.peopleInCopy(tx, mail, [customer.email, mail.mailbox.email, mail.envelopeTo ?? '']);
  }

  /** No event, so neither people nor programs are notified. */
  private recordQuietly(
    tx: AccountTx,
    kind: 'automatic_mail_came' | 'older_mail_came',
    ticket: Ticket,
    message: string,
  ): Promise<void> {
    return this.events.recordActivity(tx, NO_ACTOR, kind, describeTicketActivity(ticket, { message }));
  }
}
