import { accountStatement } from '#libs/database';
import type { Ticket } from '#libs/entities';
import type { Page } from '#libs/lists';
import { Links, ticketPayload } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { type Acting, requireUnchanged } from './acting.js';
import { tellOfTicket } from './activities.js';
import { CustomerCopies } from './customer-copies.js';
import { Events } from './events.js';
import type { FolderCounts } from './lists/folder-counts.js';
import { TicketLists, type TicketQuery } from './lists/ticket-lists.js';
import { type NewTicket, findCast, insertTicket } from './opening.js';
import { refuseFuture } from './sent-at.js';
import { lockTicket, readTicket, saveTicket } from './ticket.rows.js';
import { Transactions } from './transactions.js';

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
  // Each is one step of what a ticket goes through, and none can stand in for another.
  // oxlint-disable-next-line max-params
  constructor(
    private readonly transactions: Transactions,
    private readonly events: Events,
    private readonly lists: TicketLists,
    private readonly links: Links,
    private readonly copies: CustomerCopies,
  ) {}

  /** Round trips: 3, and for a search 1 more and 1 for each word. */
  list(acting: Acting, query: TicketQuery): Promise<Page<Ticket>> {
    return this.lists.page(this.transactions.account(acting), acting, query);
  }

  /** One round trip. */
  count(acting: Acting, mailbox?: string): Promise<FolderCounts> {
    return this.lists.count(this.transactions.account(acting), acting, mailbox);
  }

  /** Also one that is deleted, for as long as it can be restored; nothing else can be done with it. */
  read(acting: Acting, number: number): Promise<Ticket> {
    return readTicket(this.transactions.account(acting), number);
  }

  /** Round trips: who and where 1, number 1, BEGIN 1, everything 1, a copy to be sent 1, events 1, COMMIT 1. */
  async create(acting: Acting, wanted: NewTicket): Promise<Ticket> {
    const account = this.transactions.account(acting);
    const cast = await findCast(account, acting.agentId, wanted);
    const { number } = (await account.row<{ number: number }>(NEXT_NUMBER))!;
    return this.transactions.run(acting, async (tx, now) => {
      refuseFuture(wanted.sentAt, now);
      const { ticket, customer, added, messageId } = await insertTicket(tx, { wanted, cast, number, now });
      await this.copies.owe(tx, { wanted, cast, messageId }, now);
      await this.events.record(tx, acting, ...(added ? [['customer_added', customer] as const] : []), [
        'ticket_started',
        ticket,
      ]);
      return ticket;
    });
  }

  delete(acting: Acting, number: number): Promise<void> {
    return this.transactions.run(acting, async (tx, now) => {
      const ticket = await lockTicket(tx, number);
      requireUnchanged(acting, () => [{ ticket: ticketPayload(ticket, this.links) }]);
      ticket.delete(now);
      await saveTicket(tx, ticket);
      await this.events.record(tx, acting, ['ticket_deleted', ticket]);
    });
  }

  restore(acting: Acting, number: number): Promise<Ticket> {
    return this.transactions.run(acting, async (tx, now) => {
      const ticket = await lockTicket(tx, number, 'deleted');
      ticket.restore(now);
      await saveTicket(tx, ticket);
      await this.events.note(tx, acting, 'ticket_restored', tellOfTicket(ticket, {}));
      return ticket;
    });
  }
}
