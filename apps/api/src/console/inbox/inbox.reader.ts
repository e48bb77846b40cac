import { type RequestContext, TicketsService } from '#libs/desk';
import type { Ticket } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import { actingOf } from '../form-submission.js';
import { Presences } from '../live/presences.js';
import { TicketChoicesReader } from './ticket-choices.reader.js';
import type { InboxQuery } from './inbox-query.js';
import { type ThreadQuery, ThreadReader } from './thread.reader.js';
import { WritingReader } from './writing.reader.js';

const TICKETS_PER_PAGE = 25;
const OTHER_TICKETS_SHOWN = 6;

export type InboxView = Awaited<ReturnType<InboxReader['list']>>;
export type OpenTicket = Awaited<ReturnType<InboxReader['readTicket']>>;

/** Loads what the inbox shows. */
@Injectable()
export class InboxReader {
  constructor(
    private readonly tickets: TicketsService,
    private readonly choices: TicketChoicesReader,
    private readonly threads: ThreadReader,
    private readonly presences: Presences,
    private readonly writing: WritingReader,
  ) {}

  async list(me: Me, query: InboxQuery) {
    const context = actingOf(me);
    const [page, counts, choices] = await Promise.all([
      this.tickets.list(context, { ...query, sort: '-updated_at', page: 1, perPage: TICKETS_PER_PAGE }),
      this.tickets.count(context),
      this.choices.read(me.accountId),
    ]);
    const drafts = await this.writing.drafted(
      context,
      page.items.map(({ number }) => number),
    );
    return { query, counts, choices, tickets: page.items, drafts, next: page.next, open: null as OpenTicket | null };
  }

  async ticket(me: Me, query: InboxQuery, number: number, thread: ThreadQuery): Promise<InboxView> {
    const [list, open] = await Promise.all([this.list(me, query), this.readTicket(me, number, thread)]);
    return { ...list, open };
  }

  async readTicket(me: Me, number: number, query: ThreadQuery) {
    const context = actingOf(me);
    const ticket = await this.tickets.read(context, number);
    const [thread, otherTickets, presentAgents, writing] = await Promise.all([
      this.threads.read(context, ticket, query),
      this.otherTickets(context, ticket),
      this.presences.others({ ...me, ticket: number }),
      this.writing.read(context, number),
    ]);
    return { ticket, thread, otherTickets, presentAgents, ...writing };
  }

  private async otherTickets(context: RequestContext, { customer, number }: Ticket): Promise<Ticket[]> {
    const query = {
      customer: customer.id,
      sort: '-created_at',
      page: 1,
      perPage: OTHER_TICKETS_SHOWN,
      cursor: undefined,
    } as const;
    return (await this.tickets.list(context, query)).items.filter((ticket) => ticket.number !== number);
  }
}
