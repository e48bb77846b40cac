import { type AccountConnection, type AccountTx, Transactions } from '#libs/database';
import { NotFound, type Attachment, Ticket } from '#libs/entities';
import { EventsService, describeTicketActivity } from '#libs/events';
import { type Page, fittingRecords } from '#libs/lists';
import type { WholeTicket } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { attachFiles } from './attachments/attachment.statements.js';
import { BodyRenderer } from './bodies/body-renderer.js';
import { type FolderCounts, TicketListsService, type TicketQuery } from './lists/ticket-lists.service.js';
import { type HeldSource, takeHeld } from './messages/held-reply.statements.js';
import { findFirstMessages, loadMessages } from './messages/message.statements.js';
import { messagePages } from './messages/messages.service.js';
import { refuseFuture } from './messages/new-message.js';
import { importOnce } from './imports.js';
import { type NewTicket, insertTicket, resolveReferences } from './new-ticket.statements.js';
import { acceptCc, refuseCcOfNote } from './recipients/copy-recipients.statements.js';
import { CustomerMailsService } from './recipients/customer-mails.service.js';
import { type RequestContext, refuseImpersonation, requireManager } from './request-context.js';
import {
  type ListedTicket,
  type OtherTicket,
  followMerges,
  nextTicketNumber,
  readOthers,
  readTicket,
} from './ticket.statements.js';

export const INCLUDED = ['messages', 'customer'] as const;
export type Included = (typeof INCLUDED)[number];

/** Keeps a page of fifty tickets small. */
export const MAX_INCLUDED_MESSAGES = 25;

/** Options of the console. */
export interface StartOptions {
  readonly received?: readonly Attachment[];
  /** The held or unsent row that becomes this ticket. */
  readonly held?: HeldSource | undefined;
}

@Injectable()
export class TicketsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: TicketListsService,
    private readonly mails: CustomerMailsService,
    private readonly bodies: BodyRenderer,
  ) {}

  list(context: RequestContext, query: TicketQuery): Promise<Page<ListedTicket>> {
    return this.lists.page(context, query);
  }

  count(context: RequestContext, mailbox?: string): Promise<FolderCounts> {
    return this.lists.countFolders(context, mailbox);
  }

  /** Includes deleted tickets until they are purged. */
  read(context: RequestContext, number: number): Promise<Ticket> {
    return readTicket(this.transactions.account(context), number);
  }

  readSurviving(context: RequestContext, number: number): Promise<Ticket> {
    return followMerges(number, (one) => this.read(context, one));
  }

  /** Follows merges. */
  async find(context: RequestContext, number: number): Promise<Ticket | undefined> {
    return this.readSurviving(context, number).catch((error: unknown) => {
      if (error instanceof NotFound) return undefined;
      throw error;
    });
  }

  othersOf(context: RequestContext, ticket: Ticket): Promise<OtherTicket[]> {
    return readOthers(this.transactions.account(context), ticket);
  }

  /** Round trips: references 1, number 1, ticket 1, events and COMMIT 1. */
  async create(context: RequestContext, given: NewTicket, { received = [], held }: StartOptions = {}): Promise<Ticket> {
    const account = this.transactions.account(context);
    const references = await resolveReferences(account, context.agentId, given);
    const { author } = references;
    refuseImpersonation(context, author);
    const rendered = await this.bodies.render(context.accountId, given);
    const number = await nextTicketNumber(account);
    return this.transactions.run(context, async (tx, now) => {
      refuseFuture(given.sentAt, now);
      const files = held ? [...(await takeHeld(tx, context.agentId, held)), ...received] : received;
      const wanted = { ...given, ccAddresses: await ccOf(tx, given, author !== null) };
      const draft = { wanted, rendered, references, number, applicationId: context.applicationId, now };
      const { ticket, customer, added, messageId } = await insertTicket(tx, draft);
      const first = { id: messageId, ticketId: ticket.id, ticketNumber: number };
      await attachFiles(tx, this.events, context, { message: first, files }, now);
      if (given.imported) {
        await this.events.recordActivity(tx, context, 'ticket_imported', describeTicketActivity(ticket, {}));
        return ticket;
      }
      if (author) this.mails.oweFirst(tx, wanted, { ticket, messageId }, now);
      const message = { id: messageId, note: given.note === true, plainTextBody: rendered.plainTextBody };
      const by = author?.id ?? context.agentId;
      this.mails.oweAgentNotices(tx, { ticket, by, message, changed: ['assignee', 'assigned_group'] }, now);
      const before = added ? [['customer_added', customer] as const] : [];
      await this.events.record(tx, context, ...before, ['ticket_started', ticket]);
      if (given.forwardOf) await this.recordForward(tx, context, ticket, given.forwardOf);
      return ticket;
    });
  }

  private async recordForward(tx: AccountTx, context: RequestContext, ticket: Ticket, source: number): Promise<void> {
    const forwarded = await tx.repository(Ticket).findOne({ number: source });
    if (!forwarded) return;
    const details = { to: ticket.customer.email, ticket: ticket.number };
    await this.events.recordActivity(tx, context, 'ticket_forwarded', describeTicketActivity(forwarded, details));
    const from = describeTicketActivity(ticket, { ticket: source });
    await this.events.recordActivity(tx, context, 'ticket_forwarded', from);
  }

  /** Returns the ticket with this `externalId` if there is one. */
  import(context: RequestContext, given: NewTicket) {
    requireManager(context);
    const account = this.transactions.account(context);
    const { externalId } = given;
    const find = async () => {
      const known = externalId ? await account.repository(Ticket).findOne({ externalId }) : null;
      return known && this.readSurviving(context, known.number);
    };
    return importOnce(find, () => this.create(context, given));
  }

  async listWhole(context: RequestContext, query: TicketQuery, included: readonly Included[]) {
    const page = await this.list(context, query);
    return { ...page, items: await this.withIncluded(context, page.items, included) };
  }

  async readWhole(context: RequestContext, number: number, included: readonly Included[]): Promise<WholeTicket> {
    const ticket = await this.read(context, number);
    return (await this.withIncluded(context, [ticket], included))[0]!;
  }

  private async withIncluded(context: RequestContext, tickets: readonly Ticket[], included: readonly Included[]) {
    const account = this.transactions.account(context);
    const messages = included.includes('messages')
      ? await messagePages.run(context.accountId, () => messagesOf(account, tickets))
      : undefined;
    return tickets.map((ticket) => ({
      ticket,
      ...(included.includes('customer') && { customer: ticket.customer }),
      ...messages?.get(ticket.id),
    }));
  }
}

async function ccOf(tx: AccountTx, { ccAddresses = [], from, to, note }: NewTicket, isByAgent: boolean) {
  if (note) refuseCcOfNote(ccAddresses);
  return acceptCc(tx, ccAddresses, (isByAgent ? to : from).email);
}

/** By id of the ticket. */
async function messagesOf(account: AccountConnection, tickets: readonly Ticket[]) {
  const ids = tickets.map(({ id }) => id);
  const found = await findFirstMessages(account, ids, MAX_INCLUDED_MESSAGES + 1);
  const foundOf = (id: string) => found.filter(({ ticketId }) => ticketId === id);
  const wanted = ids.flatMap((id) => foundOf(id).slice(0, MAX_INCLUDED_MESSAGES));
  const fitting = wanted.slice(0, fittingRecords(wanted.map(({ bytes }) => bytes))).map(({ id }) => id);
  const loaded = await loadMessages(account, fitting);
  return new Map(
    ids.map((id) => {
      const messages = loaded.filter(({ ticketId }) => ticketId === id);
      return [id, { messages, hasAll: messages.length === foundOf(id).length }] as const;
    }),
  );
}
