import { InvalidField, NotFound } from '#libs/entities';
import { wholePage } from '#libs/lists';
import {
  CustomerMailsService,
  DraftsService,
  type RequestContext,
  ScheduledRepliesService,
  type SeenThread,
  TicketsService,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { PresencesService } from '../../layers/live/presences.service.js';
import { type ThreadQuery, ThreadReader } from '../../messages/index.js';
import { actingOf } from '../../layers/shell/acting.js';
import { type InboxQuery, sortOf, soughtNumber } from './inbox-query.js';
import { SidebarListsReader } from '../sidebar/sidebar-lists.reader.js';
import { TicketChoicesReader } from './ticket-choices.reader.js';
import type { Me } from '../../layers/sign-in/me.decorator.js';
import { WritingPermitsService } from '../composer/writing-permits.service.js';
import { SearchHitsService } from './search-hits.service.js';

// An injected class stands before the one that it is injected into, because decorators run at once.

@Injectable()
export class WritingReader {
  constructor(
    private readonly drafts: DraftsService,
    private readonly permits: WritingPermitsService,
    private readonly heldReplies: ScheduledRepliesService,
  ) {}

  async read(context: RequestContext, number: number) {
    const reads = [this.drafts.read(context, number), this.heldReplies.list(context, number)] as const;
    const [draft, held] = await Promise.all(reads);
    return { draft, held, permit: this.permits.issue(context, number) };
  }
}

export type OpenTicket = Awaited<ReturnType<OpenTicketReader['read']>>;

interface OpenTicketQuery extends ThreadQuery {
  /** The part of the thread that the page had shown when its reply was held back. */
  readonly heldBack?: SeenThread | undefined;
}

@Injectable()
export class OpenTicketReader {
  constructor(
    private readonly tickets: TicketsService,
    private readonly threads: ThreadReader,
    private readonly presences: PresencesService,
    private readonly writing: WritingReader,
    private readonly mails: CustomerMailsService,
  ) {}

  async read(me: Me, number: number, query: OpenTicketQuery) {
    const context = actingOf(me);
    const ticket = await this.tickets.read(context, number);
    const [thread, otherTickets, presentAgents, writing] = await Promise.all([
      this.threads.read(context, ticket, query),
      this.tickets.othersOf(context, ticket),
      this.presences.others({ ...me, ticket: number }),
      this.writing.read(context, number),
    ]);
    const mailRoute = this.mails.routeOf(ticket.mailbox);
    return { ticket, thread, otherTickets, presentAgents, mailRoute, heldBack: query.heldBack, ...writing };
  }
}

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
    if (number === undefined) return undefined;
    try {
      return (await this.tickets.read(actingOf(me), number)).number;
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  async list(me: Me, query: InboxQuery) {
    const context = actingOf(me);
    const [page, lists, choices] = await Promise.all([
      this.page(context, query),
      this.lists.read(context),
      this.choices.read(me.accountId),
    ]);
    const open = null as OpenTicket | null;
    return { ...page, ...lists, query, choices, open };
  }

  async ticket(me: Me, query: InboxQuery, number: number, thread: OpenTicketQuery): Promise<InboxView> {
    const [list, open] = await Promise.all([this.list(me, query), this.openTickets.read(me, number, thread)]);
    return { ...list, open };
  }

  private async page(context: RequestContext, query: InboxQuery) {
    const { page, fault } = await this.find(context, query);
    const { items: tickets, total, capped, next } = page;
    const numbers = tickets.map(({ number }) => number);
    const isSearch = query.q !== undefined && fault === undefined;
    const hits = isSearch ? await this.hits.read(context, query.q, numbers) : undefined;
    return { tickets, hits, found: { total, capped }, fault, next };
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
