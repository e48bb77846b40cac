import { Transactions, accountStatement } from '#libs/database';
import type { Ticket } from '#libs/entities';
import { EventsService, describeTicketActivity } from '#libs/events';
import type { Page } from '#libs/lists';
import { Links, RECORDS } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { type RequestContext, refuseImpersonation, requireUnchanged } from './request-context.js';
import { CustomerCopiesService } from './customer-copies.service.js';
import type { FolderCounts } from './lists/folder-counts.service.js';
import { TicketListsService, type TicketQuery } from './lists/ticket-lists.service.js';
import { type NewTicket, resolveReferences, insertTicket } from './new-ticket.js';
import { refuseFuture } from './sent-at.js';
import { lockTicket, readTicket, saveTicket } from './ticket.statements.js';

/**
 * Committed by itself, so that two tickets of one account do not wait for each other's transaction, and without
 * waiting for the disk: the ticket's own commit flushes everything before it, so no ticket outlives its number.
 */
const NEXT_NUMBER = accountStatement(
  'ticket_next_number',
  `with quick as (select set_config('synchronous_commit', 'off', true))
   update accounts set last_ticket_number = last_ticket_number + 1 from quick where id = $1
   returning last_ticket_number as number`,
);

@Injectable()
export class TicketsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: TicketListsService,
    private readonly links: Links,
    private readonly copies: CustomerCopiesService,
  ) {}

  /** Round trips: 3, and for a search 1 more and 1 for each word. */
  list(context: RequestContext, query: TicketQuery): Promise<Page<Ticket>> {
    return this.lists.page(this.transactions.account(context), context, query);
  }

  /** One round trip. */
  count(context: RequestContext, mailbox?: string): Promise<FolderCounts> {
    return this.lists.count(this.transactions.account(context), context, mailbox);
  }

  /** Also one that is deleted, for as long as it can be restored; nothing else can be done with it. */
  read(context: RequestContext, number: number): Promise<Ticket> {
    return readTicket(this.transactions.account(context), number);
  }

  /** Round trips: who and where 1, number 1, BEGIN 1, everything 1, a copy to be sent 1, events 1, COMMIT 1. */
  async create(context: RequestContext, wanted: NewTicket): Promise<Ticket> {
    const account = this.transactions.account(context);
    const references = await resolveReferences(account, context.agentId, wanted);
    refuseImpersonation(context, references.author);
    const { number } = (await account.row<{ number: number }>(NEXT_NUMBER))!;
    return this.transactions.run(context, async (tx, now) => {
      refuseFuture(wanted.sentAt, now);
      const { ticket, customer, added, messageId } = await insertTicket(tx, { wanted, references, number, now });
      await this.copies.owe(tx, { wanted, references, messageId }, now);
      await this.events.record(tx, context, ...(added ? [['customer_added', customer] as const] : []), [
        'ticket_started',
        ticket,
      ]);
      return ticket;
    });
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
