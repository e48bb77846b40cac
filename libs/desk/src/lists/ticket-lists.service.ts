import type { AccountDatabase } from '#libs/database';
import type { Ticket } from '#libs/entities';
import { type Listing, ListsService, type Page, type PageRequest } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../request-context.js';
import { SearchService } from '../search.service.js';
import { loadTickets } from '../ticket.statements.js';
import { type FolderCounts, FolderCountsService } from './folder-counts.service.js';
import { TICKET_ORDERS, type TicketFilter, type TicketSort, ticketConditions } from './ticket-filter.js';

export interface TicketQuery extends Omit<TicketFilter, 'tag' | 'terms'>, PageRequest {
  readonly tag?: string | undefined;
  readonly q?: string | undefined;
  readonly sort: TicketSort;
}

@Injectable()
export class TicketListsService {
  constructor(
    private readonly lists: ListsService,
    private readonly search: SearchService,
    private readonly totals: FolderCountsService,
  ) {}

  async page(account: AccountDatabase, context: RequestContext, query: TicketQuery): Promise<Page<Ticket>> {
    const terms = query.q === undefined ? undefined : await this.search.terms(account, query.q);
    const tag = query.tag === undefined ? undefined : await this.search.tag(account, query.tag);
    const conditions = ticketConditions({ ...query, tag, terms }, context.agentId);
    const order = TICKET_ORDERS[query.sort];
    const isFullText = terms !== undefined;
    const listing: Listing = { from: 'tickets t', id: 't.id', conditions, order, isFullText };
    return this.lists.page(context, listing, query, loadTickets);
  }

  count(account: AccountDatabase, context: RequestContext, mailbox: string | undefined): Promise<FolderCounts> {
    return this.totals.count(account, context.agentId, mailbox);
  }
}
