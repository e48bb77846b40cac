import { CustomerMailsService, type RequestContext, TicketsService } from '#libs/desk';
import type { Ticket } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { Me } from '../../sign-in/session.guard.js';
import { actingOf } from '../form-submission.js';
import { Presences } from '../live/presences.js';
import { type ThreadQuery, ThreadReader } from './thread.reader.js';
import { WritingReader } from './writing.reader.js';

const OTHER_TICKETS_SHOWN = 6;

export type OpenTicket = Awaited<ReturnType<OpenTicketReader['read']>>;

/** Loads a ticket with what stands around its conversation. */
@Injectable()
export class OpenTicketReader {
  constructor(
    private readonly tickets: TicketsService,
    private readonly threads: ThreadReader,
    private readonly presences: Presences,
    private readonly writing: WritingReader,
    private readonly mails: CustomerMailsService,
  ) {}

  async read(me: Me, number: number, query: ThreadQuery) {
    const context = actingOf(me);
    const ticket = await this.tickets.read(context, number);
    const [thread, otherTickets, presentAgents, writing] = await Promise.all([
      this.threads.read(context, ticket, query),
      this.otherTickets(context, ticket),
      this.presences.others({ ...me, ticket: number }),
      this.writing.read(context, number),
    ]);
    const mailRoute = this.mails.routeOf(ticket.mailbox);
    return { ticket, thread, otherTickets, presentAgents, mailRoute, ...writing };
  }

  private async otherTickets(context: RequestContext, { customer, number }: Ticket): Promise<Ticket[]> {
    const query = {
      customer: customer.id,
      sort: '-created_at',
      page: 1,
      perPage: OTHER_TICKETS_SHOWN,
      cursor: undefined,
      uncounted: true,
    } as const;
    return (await this.tickets.list(context, query)).items.filter((ticket) => ticket.number !== number);
  }
}
