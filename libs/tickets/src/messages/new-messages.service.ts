import { type AccountTx, Transactions } from '#libs/database';
import { Agent, Attachment, type Customer, InvalidField, type Message, type Ticket } from '#libs/entities';
import { type DomainEvent, EventsService } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { attachFiles } from '../attachments/attachment.statements.js';
import { BodyRenderer } from '../bodies/body-renderer.js';
import { findAuthor, findOrCreateAuthor } from '../customers/find-or-create-customer.statements.js';
import { acceptCc, refuseCcOfNote } from '../recipients/copy-recipients.statements.js';
import { CustomerMailsService } from '../recipients/customer-mails.service.js';
import { type RequestContext, refuseImpersonation } from '../request-context.js';
import { lockTicket, saveTicket } from '../ticket.statements.js';
import { type DraftOfMessage, takeDraft } from './draft.statements.js';
import { takeHeld } from './held-reply.statements.js';
import { insertMessage } from './message.statements.js';
import { type WrittenMessage, newMessage, refuseFuture } from './new-message.js';
import { type SeenThread, idOfSent, refuseUnseen } from './seen-thread.js';

export interface NewMessage extends WrittenMessage {
  /** Addresses that get a copy. If absent, the message has no copies and the ticket keeps its Cc. */
  readonly cc?: readonly string[] | undefined;
  /** E-mail or id. Defaults to the acting agent. */
  readonly author?: string | undefined;
}

/** Options of the console. The API uses none of them. */
export interface Sending {
  readonly seen?: SeenThread | undefined;
  readonly close?: boolean;
  readonly draft?: DraftOfMessage | undefined;
  readonly received?: readonly Attachment[];
  /** The held reply that becomes this message. */
  readonly held?: string;
}

@Injectable()
export class NewMessagesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly bodies: BodyRenderer,
    private readonly mails: CustomerMailsService,
  ) {}

  /** Round trips: ticket and author 1, message, events and COMMIT 1. */
  async post(context: RequestContext, number: number, wanted: NewMessage, sending: Sending): Promise<Message> {
    const rendered = await this.bodies.render(context.accountId, wanted.body);
    return this.transactions.run(context, async (tx, now) => {
      refuseFuture(wanted.sentAt, now);
      const emailOrId = wanted.author ?? context.agentId;
      const [ticket, found] = await Promise.all([lockTicket(tx, number), findAuthor(tx, emailOrId)]);
      if (sending.seen) await refuseUnseen(tx, ticket, sending.seen, context.agentId);
      const { author, added } = await findOrCreateAuthor(tx, { found, emailOrId }, now);
      refuseImpersonation(context, author);
      refuseNoteOfCustomer(wanted, author);
      const recipients = await addressMessage(tx, ticket, author, wanted);
      const message = newMessage({ ...wanted, rendered, ...recipients }, ticket, author, now);
      if (sending.held !== undefined) message.id = idOfSent(sending.held, now);
      const happened = applyToTicket(message, ticket, now);
      await insertMessage(tx, message, ticket);
      this.mails.oweReply(tx, message, ticket, now);
      if (!wanted.sentAt) await this.mails.oweNotice(tx, message, ticket, now);
      await this.addFiles(tx, context, { message, sending, now });
      await this.events.record(tx, context, ...(added ? [['customer_added', added] as const] : []), ...happened);
      if (sending.close && author instanceof Agent) await this.close(tx, context, { ticket, author, now });
      return message;
    });
  }

  private async close(
    tx: AccountTx,
    context: RequestContext,
    { ticket, author, now }: { readonly ticket: Ticket; readonly author: Agent; readonly now: Date },
  ): Promise<void> {
    if (!ticket.setState('closed', author, now)) return;
    await saveTicket(tx, ticket);
    await this.events.record(tx, context, ['ticket_closed', ticket]);
  }

  private async addFiles(
    tx: AccountTx,
    context: RequestContext,
    { message, sending, now }: { readonly message: Message; readonly sending: Sending; readonly now: Date },
  ): Promise<void> {
    const { draft, received = [], held } = sending;
    const { ticketId } = message;
    const { agentId, accountId } = context;
    const waited = held === undefined ? [] : await takeHeld(tx, held);
    const taken = draft ? await takeDraft(tx, { agentId, ticketId }, draft) : waited;
    const files = [...taken.map((file) => Object.assign(new Attachment(), file, { accountId })), ...received];
    if (files.length === 0) return;
    message.attachments = files;
    await this.events.recordActivity(tx, context, 'files_attached', await attachFiles(tx, message, files, now));
  }
}

/** Sets the recipients of the message, and the Cc of the next reply from the console. */
async function addressMessage(
  tx: AccountTx,
  ticket: Ticket,
  author: Agent | Customer,
  { cc, note }: NewMessage,
): Promise<Pick<Message, 'toAddresses' | 'ccAddresses'>> {
  const { email } = ticket.customer;
  if (note) refuseCcOfNote(cc ?? []);
  const ccAddresses = cc ? await acceptCc(tx, cc, email) : [];
  const isReply = author instanceof Agent && !note;
  if (cc && !note)
    ticket.ccAddresses = isReply ? ccAddresses : await acceptCc(tx, [author.email, ...ccAddresses], email);
  return { toAddresses: isReply ? [email] : [], ccAddresses };
}

function refuseNoteOfCustomer(wanted: NewMessage, author: Agent | Customer): void {
  if (wanted.note && !(author instanceof Agent))
    throw new InvalidField('note', 'note_by_customer', 'only agents write notes, and the author is a customer');
}

/** Applies the message to the ticket and returns the events to record. */
function applyToTicket(message: Message, ticket: Ticket, now: Date): DomainEvent[] {
  if (!(message.author instanceof Agent)) {
    ticket.receiveCustomerReply(message.plainTextBody, now);
    return [['customer_replied', message]];
  }
  if (message.note) {
    ticket.receiveNote(now);
    return [['note_added', message]];
  }
  const opened = ticket.receiveAgentReply(message.plainTextBody, now);
  return [['agent_replied', message], ...(opened ? [['ticket_opened', ticket] as const] : [])];
}
