import { Transactions } from '#libs/database';
import { CountCache, type Counted, ListsService, MAX_COUNTED_ROWS, type Page, type PageRequest } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../request-context.js';
import { planSearch } from '../search/search-plan.statements.js';
import { type SoughtPart, parseSearch } from '../search/search-query.js';
import { type ListedTicket, loadTickets } from '../ticket.statements.js';
import { countFolders, readLatestChange } from './folder-counts.statements.js';
import { FOLDER_IDS, type FolderId, isPersonal } from './folders.js';
import { ticketConditions } from './ticket-conditions.js';
import type { TicketFilter } from './ticket-filter.js';
import { sourceOf } from './recency.js';
import type { TicketSort } from './ticket-orders.js';

export interface TicketFilterQuery extends Omit<TicketFilter, 'search'> {
  readonly tag?: string | undefined;
  /** Name in any case or id, or `none`. */
  readonly group?: string | undefined;
  readonly q?: string | undefined;
}

export interface TicketQuery extends TicketFilterQuery, PageRequest {
  readonly sort: TicketSort;
  readonly draftsOf?: string;
}

export type FolderCounts = Readonly<Record<FolderId, number>>;

/** Valid while `latest` is the latest change of the account's tickets. */
interface Kept {
  readonly count: number;
  readonly latest: string | null;
}

@Injectable()
export class TicketListsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly lists: ListsService,
    private readonly cache: CountCache,
  ) {}

  async page(context: RequestContext, query: TicketQuery): Promise<Page<ListedTicket>> {
    const listing = await this.listingOf(context, query);
    return this.lists.page(context, listing, query, (connection, ids) => loadTickets(connection, ids, query.draftsOf));
  }

  async countSome(context: RequestContext, query: TicketFilterQuery, limit: number): Promise<Counted> {
    return this.lists.countSome(context, await this.listingOf(context, { ...query, sort: '-updated_at' }), limit);
  }

  private async listingOf(context: RequestContext, query: TicketFilterQuery & Pick<TicketQuery, 'sort'>) {
    const named = (['tag', 'group'] as const).flatMap((kind): SoughtPart[] => {
      const name = query[kind];
      return name === undefined ? [] : [{ kind, name, excluded: false }];
    });
    const parts = query.q === undefined ? undefined : parseSearch(query.q);
    const search = await planSearch(this.transactions.account(context), [...named, ...(parts ?? [])]);
    const filter = { ...query, search };
    const conditions = ticketConditions(filter, query.sort, context);
    // A search without a word or operator finds nothing.
    if (parts?.length === 0) conditions.add('false');
    return {
      ...sourceOf(filter, query.sort),
      conditions,
      isFullText: parts !== undefined,
      ...(search.parts.length > 0 && { countedAs: countedAs(context, query) }),
    };
  }

  /**
   * Counts at the cap are not repeated. A count is not cached while an older transaction may still commit, since its
   * number would not reveal the change.
   */
  async countFolders(context: RequestContext, mailbox: string | undefined): Promise<FolderCounts> {
    const { agentId: me } = context;
    const account = this.transactions.account(context);
    const keyOf = (folder: FolderId) =>
      JSON.stringify([account.accountId, folder, isPersonal(folder) ? me : '', mailbox]);
    const latest = await readLatestChange(account);
    const known = new Map<FolderId, number>();
    for (const folder of FOLDER_IDS) {
      const kept = this.cache.get(keyOf(folder)) as Kept | undefined;
      if (kept && (kept.latest === latest || kept.count === MAX_COUNTED_ROWS)) known.set(folder, kept.count);
    }
    const unknown = FOLDER_IDS.filter((folder) => !known.has(folder));
    const counted = unknown.length > 0 && (await countFolders(account, unknown, { me, mailbox }));
    if (counted)
      for (const folder of unknown) {
        const kept: Kept = { count: counted[folder], latest: counted.latest };
        if (counted.isSettled || kept.count === MAX_COUNTED_ROWS) this.cache.set(keyOf(folder), kept);
        known.set(folder, kept.count);
      }
    return Object.fromEntries(known) as FolderCounts;
  }
}

function countedAs({ agentId }: RequestContext, query: TicketFilterQuery & Partial<TicketQuery>): string {
  const { page: _page, perPage: _perPage, cursor: _cursor, uncounted: _uncounted, ...wanted } = query;
  const { sort: _sort, draftsOf: _draftsOf, ...filters } = wanted;
  return JSON.stringify([agentId, filters]);
}
