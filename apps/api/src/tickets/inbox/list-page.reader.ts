import { InvalidField, NotFound } from '#libs/entities';
import { type Page, wholePage } from '#libs/lists';
import { type ListedTicket, type RequestContext, SearchHitsService, TicketsService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { type InboxQuery, soughtNumber, sortOf } from '../../shell/inbox-query.js';

const TICKETS_PER_PAGE = 25;

interface FoundPage {
  readonly page: Page<ListedTicket>;
  /** Why a search could not be understood. */
  readonly fault?: string;
}

/** Loads the tickets of a list, with what each row says. */
@Injectable()
export class ListPageReader {
  constructor(
    private readonly tickets: TicketsService,
    private readonly hits: SearchHitsService,
  ) {}

  /** The ticket whose number was searched for. */
  async sought(context: RequestContext, query: InboxQuery): Promise<number | undefined> {
    const number = soughtNumber(query);
    if (number === undefined) return undefined;
    try {
      return (await this.tickets.read(context, number)).number;
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  /** Two round trips, one after the other, and those of a search. */
  async read(context: RequestContext, query: InboxQuery) {
    const { page, fault } = await this.find(context, query);
    const { items: tickets, total, capped, next } = page;
    const numbers = tickets.map(({ number }) => number);
    const isSearch = query.q !== undefined && fault === undefined;
    const hits = isSearch ? await this.hits.read(context, query.q, numbers) : undefined;
    return { tickets, hits, found: { total, capped }, fault, next };
  }

  /** A search that cannot be understood finds nothing, and says why. */
  private async find(context: RequestContext, query: InboxQuery): Promise<FoundPage> {
    // How many there are is said of a search only; of a folder, the rail says it.
    const uncounted = query.q === undefined;
    const page = { sort: sortOf(query), page: 1, perPage: TICKETS_PER_PAGE, uncounted };
    const request = { ...query, ...page, draftsOf: context.agentId };
    try {
      return { page: await this.tickets.list(context, request) };
    } catch (error) {
      if (!(error instanceof InvalidField) || error.fieldErrors[0]?.field !== 'q') throw error;
      return { page: wholePage([]), fault: error.message };
    }
  }
}
