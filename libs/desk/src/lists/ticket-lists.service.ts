import type { AccountDatabase } from '#libs/database';
import type { Ticket } from '#libs/entities';
import { Lists, type Page, type PageRequest } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import type { Acting } from '../acting.js';
import { Search } from '../search.js';
import { loadTickets } from '../ticket.rows.js';
import { type FolderCounts, FolderTotals } from './folder-counts.js';
import { TICKET_ORDERS, type TicketFilter, type TicketSort, ticketConditions } from './ticket-filter.js';

export interface TicketQuery extends Omit<TicketFilter, 'tag' | 'terms'>, PageRequest {
  readonly tag?: string | undefined;
  readonly q?: string | undefined;
  readonly sort: TicketSort;
}

@Injectable()
export class TicketLists {
  constructor(
    private readonly lists: Lists,
    private readonly search: Search,
    private readonly totals: FolderTotals,
  ) {}

  async page(account: AccountDatabase, acting: Acting, query: TicketQuery): Promise<Page<Ticket>> {
    const terms = query.q === undefined ? undefined : await this.search.terms(account, query.q);
    const tag = query.tag === undefined ? undefined : await this.search.tag(account, query.tag);
    const conditions = ticketConditions({ ...query, tag, terms }, acting.agentId);
    const order = TICKET_ORDERS[query.sort];
    const listing = { from: 'tickets t', id: 't.id', conditions, order, searches: terms !== undefined };
    return this.lists.page(acting, listing, query, loadTickets);
  }

  count(account: AccountDatabase, acting: Acting, mailbox: string | undefined): Promise<FolderCounts> {
    return this.totals.of(account, acting.agentId, mailbox);
  }
}
