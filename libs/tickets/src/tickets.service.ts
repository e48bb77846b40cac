import { Transactions } from '#libs/database';
import type { Attachment, Ticket } from '#libs/entities';
import { EventsService, describeTicketActivity } from '#libs/events';
import type { Page } from '#libs/lists';
import { Links, RECORDS } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import type { FolderCounts } from './lists/folder-counts.service.js';
import { TicketListsService, type TicketQuery } from './lists/ticket-lists.service.js';
import type { NewTicket } from './new-ticket.js';
import { NewTicketsService } from './new-tickets.service.js';
import { type RequestContext, requireUnchanged } from './request-context.js';
import {
  type ListedTicket,
  type OtherTicket,
  lockTicket,
  readOthers,
  readTicket,
  saveTicket,
} from './ticket.statements.js';

@Injectable()
export class TicketsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: TicketListsService,
    private readonly links: Links,
    private readonly newTickets: NewTicketsService,
  ) {}

  list(context: RequestContext, query: TicketQuery): Promise<Page<ListedTicket>> {
    return this.lists.page(this.transactions.account(context), context, query);
  }

  count(context: RequestContext, mailbox?: string): Promise<FolderCounts> {
    return this.lists.count(this.transactions.account(context), context, mailbox);
  }

  /** Includes deleted tickets until they are purged. */
  read(context: RequestContext, number: number): Promise<Ticket> {
    return readTicket(this.transactions.account(context), number);
  }

  othersOf(context: RequestContext, ticket: Ticket): Promise<OtherTicket[]> {
    return readOthers(this.transactions.account(context), ticket);
  }

  create(context: RequestContext, wanted: NewTicket, received: readonly Attachment[] = []): Promise<Ticket> {
    return this.newTickets.create(context, wanted, received);
  }

  delete(context: RequestContext, number: number): Promise<void> {
    return this.transactions.run(context, async (tx, now) => {
      const ticket = await lockTicket(tx, number);
      requireUnchanged(context, () => [{ ticket: RECORDS.Ticket(ticket, this.links) }]);
      ticket.delete(now);
      await saveTicket(tx, ticket);
      await this.events.record(tx, context, ['ticket_deleted', ticket]);
    });
  }

  restore(context: RequestContext, number: number): Promise<Ticket> {
    return this.transactions.run(context, async (tx, now) => {
      const ticket = await lockTicket(tx, number, 'deleted');
      ticket.restore(now);
      await saveTicket(tx, ticket);
      await this.events.recordActivity(tx, context, 'ticket_restored', describeTicketActivity(ticket, {}));
      return ticket;
    });
  }
}
