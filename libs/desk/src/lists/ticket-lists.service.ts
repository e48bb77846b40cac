import type { AccountDatabase } from '#libs/database';
import type { Ticket } from '#libs/entities';
import { type Listing, ListsService, type Page, type PageRequest } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../request-context.js';
import { SearchPlanner } from '../search/search-plan.js';
import type { SoughtPart } from '../search/search-part.js';
import { parseSearch } from '../search/search-query.js';
import { loadTickets } from '../ticket.statements.js';
import { type FolderCounts, FolderCountsService } from './folder-counts.service.js';
import { TICKET_ORDERS, type TicketFilter, type TicketSort, ticketConditions } from './ticket-filter.js';

export interface TicketQuery extends Omit<TicketFilter, 'tag' | 'search'>, PageRequest {
  readonly tag?: string | undefined;
  readonly q?: string | undefined;
  readonly sort: TicketSort;
}

@Injectable()
export class TicketListsService {
  constructor(
    private readonly lists: ListsService,
    private readonly planner: SearchPlanner,
    private readonly totals: FolderCountsService,
  ) {}

  async page(account: AccountDatabase, context: RequestContext, query: TicketQuery): Promise<Page<Ticket>> {
    const tag: SoughtPart[] = query.tag === undefined ? [] : [{ kind: 'tag', name: query.tag, excluded: false }];
    const sought = query.q === undefined ? undefined : parseSearch(query.q);
    const planned = await this.planner.plan(account, [...tag, ...(sought ?? [])]);
    const filter = { ...query, tag: planned.slice(0, tag.length)[0], search: sought && planned.slice(tag.length) };
    const conditions = ticketConditions(filter, context);
    const order = TICKET_ORDERS[query.sort];
    const listing: Listing = { from: 'tickets t', id: 't.id', conditions, order, isFullText: sought !== undefined };
    return this.lists.page(context, listing, query, loadTickets);
  }

  count(account: AccountDatabase, context: RequestContext, mailbox: string | undefined): Promise<FolderCounts> {
    return this.totals.count(account, context.agentId, mailbox);
  }
}
