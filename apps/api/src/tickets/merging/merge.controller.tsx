import { NotFound, type Ticket } from '#libs/entities';
import { type RequestContext, TicketsService } from '#libs/tickets';
import { Get, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { actingOf } from '../../layers/shell/acting.js';
import { ConsolePages } from '../../layers/shell/console-pages.decorator.js';
import { Me } from '../../layers/sign-in/me.decorator.js';
import { FormFields } from '../../layers/ui/form-fields.js';
import type { PageContent } from '../../layers/ui/page-response.js';
import { ticketNumbers } from '../inbox/bulk-actions.controller.js';
import { parseListQuery } from '../inbox-query.js';
import { MergePage } from './merge.page.js';

const MAX_TICKETS = 10;

/** The bulk action merges them. */
@ConsolePages('tickets/merge')
export class MergeController {
  constructor(private readonly tickets: TicketsService) {}

  @Get()
  async show(
    @Me() me: Me,
    @Query() parameters: unknown,
    @Req() { headers, url }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageContent> {
    // The form of the selected tickets would only swap parts of its page.
    if (headers['hx-request']) void reply.header('hx-redirect', url);
    const query = new FormFields(parameters);
    const context = actingOf(me);
    const named = ticketNumbers(query).slice(0, MAX_TICKETS);
    const found = await Promise.all(named.map((number) => this.find(context, number)));
    const live = found.filter((ticket): ticket is Ticket => ticket?.deletedAt === null);
    const tickets = [...new Map(live.map((ticket) => [ticket.number, ticket])).values()];
    const others = tickets.length === 1 ? await this.tickets.othersOf(context, tickets[0]!) : [];
    const back = parseListQuery(query.text('back'));
    return { view: <MergePage tickets={tickets.toSorted(oldestFirst)} others={others} back={back} /> };
  }

  private async find(context: RequestContext, number: number): Promise<Ticket | null> {
    try {
      return await this.tickets.readSurviving(context, number);
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }
}

const oldestFirst = (one: Ticket, other: Ticket): number => one.number - other.number;
