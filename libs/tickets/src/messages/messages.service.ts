import { type AccountTx, Transactions } from '#libs/database';
import {
  Agent,
  type Attachment,
  type Customer,
  InvalidField,
  type Message,
  type ThenChange,
  type Ticket,
  Unavailable,
} from '#libs/entities';
import { type DomainEvent, EventsService, describeTicketActivity } from '#libs/events';
import { Conditions, ListsService, type Page, type PageRequest } from '#libs/lists';
import { FairQueue } from '#libs/pacing';
import { RECORDS, requireUnchanged } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { attachFiles } from '../attachments/attachment.statements.js';
import { BodyRenderer } from '../bodies/body-renderer.js';
import { findAuthor, findOrCreateAuthor } from '../customers/customer.statements.js';
import { type Imported, createdAtOf } from '../imports.js';
import { acceptCc, refuseCcOfNote } from '../recipients/copy-recipients.statements.js';
import { CustomerMailsService } from '../recipients/customer-mails.service.js';
import { changeOnSending } from '../saved-replies/saved-reply.statements.js';
import { type RequestContext, refuseImpersonation, requireManager } from '../request-context.js';
import { applyChanges, saveChanges } from '../applied-changes.js';
import { changesTo } from '../ticket-changes.js';
import { lockTicketWithActor, readTicket } from '../ticket.statements.js';
import { type DraftOfMessage, takeDraft } from './draft.statements.js';
import { takeHeld } from './held-reply.statements.js';
import {
  BODY_BYTES,
  MESSAGE_ORDERS,
  OLDEST_UPDATE_FIRST,
  listingOf,
  insertMessage,
  loadMessages,
  readMessage,
} from './message.statements.js';
import { type WrittenMessage, newMessage, refuseFuture } from './new-message.js';
import { type SeenThread, idOfSent, refuseOtherCustomer, refuseUnseen } from './seen-thread.js';

export interface UpdatedMessagesQuery extends PageRequest {
  readonly updatedSince?: Date | undefined;
}

export interface NewMessage extends WrittenMessage {
  /** Addresses that get a copy. If absent, the message has no copies and the ticket keeps its Cc. */
  readonly cc?: readonly string[] | undefined;
  readonly author?: string | undefined;
  readonly imported?: Imported | undefined;
}

/** Options of the console. The API uses none of them. */
export interface Sending {
  /** The page writes to this customer. */
  readonly customerId?: string | null | undefined;
  readonly seen?: SeenThread | undefined;
  readonly thenChange?: ThenChange | null;
  readonly savedReplyId?: string | null | undefined;
  readonly draft?: DraftOfMessage | undefined;
  readonly received?: readonly Attachment[];
  readonly held?: string;
}

@Injectable()
export class MessagesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly lists: ListsService,
    private readonly events: EventsService,
    private readonly bodies: BodyRenderer,
    private readonly mails: CustomerMailsService,
  ) {}

  async list(context: RequestContext, number: number, request: PageRequest): Promise<Page<Message>> {
    return this.listOf(context, await readTicket(this.transactions.account(context), number), request, 'oldest first');
  }

  listOf(
    context: RequestContext,
    ticket: Pick<Ticket, 'id'>,
    request: PageRequest,
    order: keyof typeof MESSAGE_ORDERS,
  ): Promise<Page<Message>> {
    return messagePages.run(context.accountId, () =>
      this.lists.page(context, listingOf(ticket, order), request, loadMessages),
    );
  }

  listUpdated(context: RequestContext, { updatedSince, ...request }: UpdatedMessagesQuery): Promise<Page<Message>> {
    const conditions = Conditions.forAccount('s');
    if (updatedSince) conditions.add(`s.updated_at >= ${conditions.bind(updatedSince)}`);
    const listing = { from: 'messages s', id: 's.id', conditions, order: OLDEST_UPDATE_FIRST, bytes: BODY_BYTES };
    return messagePages.run(context.accountId, () => this.lists.page(context, listing, request, loadMessages));
  }

  read(context: RequestContext, id: string): Promise<Message> {
    return readMessage(this.transactions.account(context), id);
  }

  /** Only the console passes `sending`. Round trips: ticket and author 1, message, events and COMMIT 1. */
  async post(context: RequestContext, number: number, wanted: NewMessage, sending: Sending = {}): Promise<Message> {
    const { imported } = wanted;
    if (imported) requireManager(context);
    const rendered = await this.bodies.render(context.accountId, wanted);
    return this.transactions.run(context, async (tx, now) => {
      refuseFuture(wanted.sentAt, now);
      const createdAt = createdAtOf(imported, now);
      const emailOrId = wanted.author ?? context.agentId;
      const [{ ticket, agent, application }, named] = await Promise.all([
        lockTicketWithActor(tx, number, context),
        wanted.author === undefined ? undefined : findAuthor(tx, emailOrId),
      ]);
      const found = named === undefined ? agent : named;
      if (sending.seen) await refuseUnseen(tx, ticket, sending.seen, context.agentId);
      refuseOtherCustomer(ticket, sending);
      const { author, added } = await findOrCreateAuthor(tx, { found, emailOrId }, now);
      refuseImpersonation(context, author);
      refuseNoteOfCustomer(wanted, author);
      requireUnchanged(context, () => [{ ticket: RECORDS.Ticket(ticket, this.events.links) }]);
      const recipients = await addressMessage(tx, ticket, author, wanted);
      const message = newMessage({ ...wanted, rendered, ...recipients }, ticket, author, createdAt);
      Object.assign(message, { application, applicationId: context.applicationId });
      if (sending.held !== undefined) message.id = idOfSent(sending.held, now);
      if (imported) {
        ticket.receiveImported(author instanceof Agent && !message.note, message.writtenAt());
        await insertMessage(tx, message, ticket);
        const activity = describeTicketActivity(ticket, { message: message.id });
        await this.events.recordActivity(tx, context, 'message_imported', activity);
        return message;
      }
      const happened = applyToTicket(message, ticket, now);
      await insertMessage(tx, message, ticket);
      await this.addFiles(tx, context, message, sending, now);
      this.mails.oweReply(tx, message, ticket, now);
      if (!wanted.sentAt) await this.mails.oweNotice(tx, message, ticket, now);
      await this.events.record(tx, context, ...(added ? [['customer_added', added] as const] : []), ...happened);
      const thenChange = await changeOnSending(tx, context.agentId, sending, now);
      const changes = thenChange && changesTo(thenChange, context, now);
      const applied = changes && (await applyChanges(tx, this.events.links, { ticket, changes, now }));
      const by = message.authorAgentId ?? context.agentId;
      this.mails.oweAgentNotices(tx, { ticket, by, message, changed: applied?.changed }, now);
      if (applied) await saveChanges(tx, this.events, context, applied);
      return message;
    });
  }

  private async addFiles(tx: AccountTx, context: RequestContext, message: Message, sending: Sending, now: Date) {
    const { draft, received = [], held } = sending;
    const { agentId } = context;
    const waited = held === undefined ? [] : await takeHeld(tx, agentId, { id: held });
    const drafted = draft ? await takeDraft(tx, { agentId, ticketId: message.ticketId }, draft) : [];
    const files = [...waited, ...drafted, ...received];
    message.attachments = files;
    await attachFiles(tx, this.events, context, { message, files }, now);
  }
}

/** Limits memory: a page of messages can be large. Accounts take turns. */
export const messagePages = new FairQueue({
  maxConcurrent: 4,
  maxWaiting: 500,
  newRefusal: () => new Unavailable('overloaded', 'Too many messages are being read at once. Try again in a second.'),
});

/** Sets the recipients of the message, and the Cc of the next reply from the console. */
async function addressMessage(tx: AccountTx, ticket: Ticket, author: Agent | Customer, wanted: NewMessage) {
  const { cc, note, imported } = wanted;
  const { email } = ticket.customer;
  if (note) refuseCcOfNote(cc ?? []);
  const ccAddresses = cc ? await acceptCc(tx, cc, email) : [];
  const isReply = author instanceof Agent && !note;
  if (cc && !note && !imported)
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
    return [['customer_replied', message, ticket]];
  }
  if (message.note) {
    ticket.receiveNote(now);
    return [['note_added', message, ticket]];
  }
  const { state } = ticket;
  const opened = ticket.receiveAgentReply(message.plainTextBody, message.writtenAt(), now);
  const changes = { state: [state, ticket.state] } as const;
  return [['agent_replied', message, ticket], ...(opened ? [['ticket_opened', ticket, changes] as const] : [])];
}
