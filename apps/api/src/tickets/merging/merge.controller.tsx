import { existing } from '#libs/entities';
import { TicketsService } from '#libs/tickets';
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
    const named = ticketNumbers(query).slice(0, MAX_TICKETS);
    const found = await Promise.all(named.map((number) => this.tickets.find(actingOf(me), number)));
    const live = found.flatMap((ticket) => (ticket && !ticket.deletedAt ? [[ticket.number, ticket] as const] : []));
    const tickets = [...new Map(live).values()].toSorted((one, other) => one.number - other.number);
    const others = await this.tickets.othersOf(actingOf(me), existing(tickets[0], 'ticket'));
    return { view: <MergePage tickets={tickets} others={others} back={parseListQuery(query.text('back'))} /> };
  }
}
