import { type AccountTx, Transactions } from '#libs/database';
import type { Attachment, Customer, SenderVerdicts, Ticket } from '#libs/entities';
import { EventsService, describeTicketActivity, NO_ACTOR } from '#libs/events';
import {
  CustomerMailsService,
  MAX_KEPT_RECIPIENTS,
  NEXT_TICKET_NUMBER,
  type NewTicket,
  type RenderedBody,
  findOrCreateCustomer,
  customerOf,
  insertMessage,
  insertTicket,
  isOneOfMany,
  lockTicket,
  newMessage,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { type MailOutcome, recordOutcome, refuseDuplicate } from './arrival-outcome.statements.js';
import type { InboundMail } from './arrival.statements.js';
import { MailAttachmentsService, MailContentsService, titleOf, withPictures } from './mail-contents.service.js';
import type { MailContext } from './mail-context.statements.js';
import type { IdentifiedMail } from './parse-mail.js';
import type { QuarantineReason } from './quarantine.service.js';
import { isSenderDoubtful } from './sender-verdicts.js';

interface CustomerMail {
  readonly inbound: InboundMail;
  readonly mail: IdentifiedMail;
  readonly context: MailContext;
  readonly outcome: Pick<MailOutcome, 'state' | 'reason' | 'verdicts'>;
}

/** Rendered and its files stored, outside the transaction. */
interface PreparedMail extends CustomerMail {
  readonly body: string;
  readonly rendered: RenderedBody;
  readonly files: readonly Attachment[];
}

type Addressed = Pick<Ticket, 'ccAddresses'> & { readonly customer: Pick<Customer, 'email'> };

@Injectable()
export class CustomerMailDeliveryService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly contents: MailContentsService,
    private readonly attachments: MailAttachmentsService,
    private readonly mails: CustomerMailsService,
  ) {}

  async deliver(customerMail: CustomerMail): Promise<void> {
    const { inbound, mail, context } = customerMail;
    const { body, files, rendered } = await this.contents.render(inbound, mail);
    await this.attachments.withStored(inbound, files, (stored) => {
      const prepared = { ...customerMail, body, rendered: withPictures(rendered, files, stored), files: stored };
      return context.ticket ? this.addMessage(prepared, context.ticket.number) : this.startTicket(prepared);
    });
  }

  async quarantine(
    inbound: InboundMail,
    mail: IdentifiedMail,
    { reason, verdicts }: { readonly reason: QuarantineReason; readonly verdicts: SenderVerdicts | null },
  ): Promise<void> {
    const preview = await this.contents.preview(inbound, mail);
    await this.recordUndelivered(inbound, mail, { state: 'quarantined', reason, verdicts, ...preview });
  }

  /** The first mail has the bytes. */
  async dropDuplicate(inbound: InboundMail, mail: IdentifiedMail, verdicts: SenderVerdicts | null): Promise<void> {
    await this.recordUndelivered(inbound, mail, { state: 'duplicate', verdicts, isStoredTwice: true });
    await this.attachments.discardRaw(inbound);
  }

  private recordUndelivered(inbound: InboundMail, mail: IdentifiedMail, outcome: MailOutcome): Promise<void> {
    return recordOutcome(this.transactions.account(inbound), inbound, mail, outcome, this.transactions.now());
  }

  private async startTicket(prepared: PreparedMail): Promise<void> {
    const { inbound, mail, context, rendered, files } = prepared;
    const { number } = (await this.transactions.account(inbound).row<{ number: number }>(NEXT_TICKET_NUMBER))!;
    const references = { author: null, mailbox: context.mailbox, assignee: null, group: null, closer: null };
    await this.transactions.run(inbound, async (tx, now) => {
      const before = { customer: { email: mail.from.address }, ccAddresses: [] };
      const peopleInCopy = await this.peopleInCopy(tx, prepared, before);
      const wanted = { ...ticketOf(prepared), peopleInCopy };
      const started = await insertTicket(tx, { wanted, rendered, references, number, now });
      const { ticket, customer, added, messageId } = started;
      await this.attachments.add(tx, NO_ACTOR, { id: messageId, ticket, files }, now);
      await this.recordOutcome(tx, prepared, { ticketId: ticket.id, messageId, startedTicket: true }, now);
      await this.linkAnswered(tx, context, ticket);
      if (isImported(prepared)) return this.recordQuietly(tx, 'older_mail_came', ticket, messageId);
      const addedCustomer = added ? [['customer_added', customer] as const] : [];
      await this.events.record(tx, NO_ACTOR, ...addedCustomer, ['ticket_started', ticket]);
    });
  }

  private async addMessage(prepared: PreparedMail, number: number): Promise<void> {
    const { inbound, mail, context, body, rendered, files } = prepared;
    await this.transactions.run(inbound, async (tx, now) => {
      const ticket = await lockTicket(tx, number);
      await refuseDuplicate(tx, inbound, mail, ticket.id);
      const { customer, added } = await findOrCreateCustomer(tx, customerOf(mail.from, context.isCustomer), now);
      const recipients = recipientsOf(prepared);
      const written = { body, rendered, sentAt: timeOf(inbound), ...recipients, channel: 'email' as const };
      const message = newMessage(written, ticket, customer, now);
      const isQuiet = isAutomatic(prepared) || isImported(prepared) || (await isOneOfMany(tx, message));
      if (isQuiet) ticket.receiveAutomaticMail(message.plainTextBody, now);
      else {
        ticket.ccAddresses = await this.peopleInCopy(tx, prepared, ticket);
        ticket.receiveCustomerReply(message.plainTextBody, now);
      }
      await insertMessage(tx, message, ticket);
      message.attachments = await this.attachments.add(tx, NO_ACTOR, { id: message.id, ticket, files }, now);
      await this.recordOutcome(tx, prepared, { ticketId: ticket.id, messageId: message.id }, now);
      if (isImported(prepared)) return this.recordQuietly(tx, 'older_mail_came', ticket, message.id);
      if (isQuiet) await this.recordQuietly(tx, 'automatic_mail_came', ticket, message.id);
      else await this.mails.oweNotice(tx, message, ticket, now);
      const addedCustomer = added ? [['customer_added', customer] as const] : [];
      const replied = isQuiet ? [] : [['customer_replied', message] as const];
      await this.events.record(tx, NO_ACTOR, ...addedCustomer, ...replied);
    });
  }

  private async linkAnswered(tx: AccountTx, { answered }: MailContext, ticket: Ticket): Promise<void> {
    if (answered === null) return;
    const kind = answered.isDeleted ? 'deleted_ticket_answered' : 'other_ticket_answered';
    const activity = describeTicketActivity(ticket, { ticket: answered.number });
    await this.events.recordActivity(tx, NO_ACTOR, kind, activity);
  }

  /** Unchanged by automatic mail, since a program could answer the replies, and if the sender is probably forged. */
  private async peopleInCopy(tx: AccountTx, prepared: PreparedMail, { customer, ccAddresses }: Addressed) {
    const { inbound, mail, context } = prepared;
    if (isAutomatic(prepared) || isSenderDoubtful(mail.authentication, context.mailbox.authservId)) return ccAddresses;
    return this.mails.peopleInCopy(tx, mail, [customer.email, context.mailbox.email, inbound.envelopeTo ?? '']);
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

  private recordOutcome(
    tx: AccountTx,
    { inbound, mail, outcome, files }: PreparedMail,
    made: Pick<MailOutcome, 'ticketId' | 'messageId' | 'startedTicket'>,
    now: Date,
  ): Promise<void> {
    return recordOutcome(tx, inbound, mail, { ...outcome, ...made, isStoredTwice: files.length > 0 }, now);
  }
}

const recipientsOf = ({ mail: { to, cc } }: CustomerMail): Pick<NewTicket, 'toAddresses' | 'ccAddresses'> => ({
  toAddresses: to.slice(0, MAX_KEPT_RECIPIENTS),
  ccAddresses: cc.slice(0, MAX_KEPT_RECIPIENTS),
});

function ticketOf(prepared: PreparedMail): NewTicket {
  const { mail, body, context, inbound } = prepared;
  return {
    body,
    ...recipientsOf(prepared),
    from: customerOf(mail.from, context.isCustomer),
    to: { email: context.mailbox.email },
    title: titleOf(mail.subject),
    state: isImported(prepared) ? 'closed' : 'unread',
    priority: null,
    tags: [],
    sentAt: timeOf(inbound),
    channel: 'email',
    isOlder: isImported(prepared),
  };
}

/** Two mailboxes of an account could answer each other. */
const isAutomatic = ({ mail, context }: CustomerMail): boolean => mail.automatic || context.isMailbox;

/** Mail that is older than the mailbox causes no notifications. */
const isImported = ({ inbound }: CustomerMail): boolean => inbound.receivedAt !== null;

const timeOf = ({ receivedAt, createdAt }: InboundMail): Date => receivedAt ?? createdAt;
