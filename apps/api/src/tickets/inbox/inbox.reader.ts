import { InvalidField } from '#libs/entities';
import { wholePage } from '#libs/lists';
import { FOLDER_IDS, type RequestContext, SEARCH_OPERATORS, TicketsService, unknownOperators } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { nearestName } from '../../layers/edge/nearest-name.js';
import { actingOf } from '../../layers/shell/acting.js';
import { type InboxQuery, listOf, sortOf, soughtNumber } from '../inbox-query.js';
import { SidebarListsReader } from '../sidebar/sidebar-lists.reader.js';
import { TicketChoicesReader } from './ticket-choices.reader.js';
import type { Me } from '../../layers/sign-in/me.decorator.js';
import { type OpenTicket, type OpenTicketQuery, OpenTicketReader } from './open-ticket.reader.js';
import { SearchHitsService } from './search-hits.service.js';

const TICKETS_PER_PAGE = 25;

export type InboxView = Awaited<ReturnType<InboxReader['list']>>;

@Injectable()
export class InboxReader {
  constructor(
    private readonly tickets: TicketsService,
    private readonly hits: SearchHitsService,
    private readonly choices: TicketChoicesReader,
    private readonly openTickets: OpenTicketReader,
    private readonly lists: SidebarListsReader,
  ) {}

  async findByNumber(me: Me, query: InboxQuery): Promise<number | undefined> {
    const number = soughtNumber(query);
    return number === undefined ? undefined : (await this.tickets.find(actingOf(me), number))?.number;
  }

  async list(me: Me, query: InboxQuery) {
    const context = actingOf(me);
    const [page, lists, choices] = await Promise.all([
      this.page(context, query),
      this.lists.read(context),
      this.choices.read(me.accountId),
    ]);
    const open = null as OpenTicket | null;
    const isEmpty = FOLDER_IDS.every((folder) => lists.counts[folder] === 0);
    const firstRun = isEmpty ? await this.choices.firstRun(me.accountId, me.agentId) : undefined;
    return { ...page, ...lists, query, choices, open, firstRun };
  }

  /** Without a query, beside the list that holds the ticket. */
  async ticket(me: Me, query: InboxQuery | undefined, number: number, thread: OpenTicketQuery): Promise<InboxView> {
    const reading = this.openTickets.read(me, number, thread);
    const list = this.list(me, query ?? listOf((await reading).ticket, me.agentId));
    const [shown, open] = await Promise.all([list, reading]);
    return { ...shown, open };
  }

  private async page(context: RequestContext, query: InboxQuery) {
    const { page, fault } = await this.find(context, query);
    const { items: tickets, total, capped, next } = page;
    const numbers = tickets.map(({ number }) => number);
    const isSearch = query.q !== undefined && fault === undefined;
    const hits = isSearch ? await this.hits.read(context, query.q, numbers) : undefined;
    return { tickets, hits, found: { total, capped, hint: operatorHint(query) }, fault, next };
  }

  /** An invalid search returns an empty page and the reason. */
  private async find(context: RequestContext, query: InboxQuery) {
    // Only a search shows the number of results. The sidebar shows the counts of the folders.
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

function operatorHint({ q }: InboxQuery): string | undefined {
  const [name] = unknownOperators(q ?? '');
  if (name === undefined) return undefined;
  const known = SEARCH_OPERATORS.map(({ operator }) => operator);
  const nearest = nearestName(`${name}:`, known);
  return `There is no operator ${name}:. ${nearest ? `Did you mean ${nearest}?` : 'It was searched as text.'}`;
}
