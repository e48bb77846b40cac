import type { AccountConnection } from '#libs/database';
import { type Counted, type Listing, ListsService, type Page, type PageRequest, type Walk } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../request-context.js';
import { planSearch } from '../search/search-plan.js';
import { type SoughtPart, parseSearch } from '../search/search-query.js';
import { type ListedTicket, loadTickets } from '../ticket.statements.js';
import { type FolderCounts, FolderCountsService } from './folder-counts.service.js';
import { type TicketFilter, ticketConditions } from './ticket-filter.js';
import { TICKET_ORDERS, type TicketSort } from './ticket-orders.js';

export interface TicketFilterQuery extends Omit<TicketFilter, 'search'> {
  readonly tag?: string | undefined;
  readonly q?: string | undefined;
}

export interface TicketQuery extends TicketFilterQuery, PageRequest {
  readonly sort: TicketSort;
  readonly draftsOf?: string;
}

@Injectable()
export class TicketListsService {
  constructor(
    private readonly lists: ListsService,
    private readonly folderCounts: FolderCountsService,
  ) {}

  async page(account: AccountConnection, context: RequestContext, query: TicketQuery): Promise<Page<ListedTicket>> {
    const listing = await this.listingOf(account, context, query);
    return this.lists.page(context, listing, query, (connection, ids) => loadTickets(connection, ids, query.draftsOf));
  }

  async countSome(
    account: AccountConnection,
    context: RequestContext,
    query: TicketFilterQuery,
    limit: number,
  ): Promise<Counted> {
    const listing = await this.listingOf(account, context, { ...query, sort: '-updated_at' });
    return this.lists.countSome(context, listing, limit);
  }

  private async listingOf(
    account: AccountConnection,
    context: RequestContext,
    query: TicketFilterQuery & Pick<TicketQuery, 'sort'>,
  ): Promise<Listing> {
    const tag: SoughtPart[] = query.tag === undefined ? [] : [{ kind: 'tag', name: query.tag, excluded: false }];
    const parts = query.q === undefined ? undefined : parseSearch(query.q);
    const search = await planSearch(account, [...tag, ...(parts ?? [])]);
    const { conditions, neighbours } = ticketConditions({ ...query, search }, context);
    // A search without a word or operator finds nothing.
    if (parts?.length === 0) conditions.add('false');
    return {
      from: 'tickets t',
      id: 't.id',
      conditions,
      order: TICKET_ORDERS[query.sort],
      isFullText: parts !== undefined,
      ...(conditions.hasFilter && { prelude: (walk: Walk) => neighbours.prelude(walk), density: search.density }),
      ...(search.parts.length > 0 && { countedAs: countedAs(context, query) }),
    };
  }

  count(account: AccountConnection, context: RequestContext, mailbox: string | undefined): Promise<FolderCounts> {
    return this.folderCounts.count(account, context.agentId, mailbox);
  }
}

function countedAs({ agentId }: RequestContext, { ...query }: TicketFilterQuery & Partial<TicketQuery>): string {
  const { page: _page, perPage: _perPage, cursor: _cursor, uncounted: _uncounted, ...wanted } = query;
  const { sort: _sort, draftsOf: _draftsOf, ...filters } = wanted;
  return JSON.stringify([agentId, filters]);
}
