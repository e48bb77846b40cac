import { Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { TakesForm, postedForm } from '../../http/form-parts.js';
import { NamePipe } from '../../http/name.pipe.js';
import { Me } from '../../sign-in/session.guard.js';
import { TicketNumberPipe } from '../../rest/tickets/ticket-number.pipe.js';
import { DeskPages } from '../shell/desk-pages.js';
import type { PageAnswer } from '../../pages/page.js';
import { InboxPages } from './inbox.pages.js';
import { inboxQuery } from './inbox-query.js';
import { NewTicketFlow } from './new-ticket.flow.js';

type Parameters = Readonly<Record<string, unknown>>;

@Controller()
@DeskPages()
export class InboxController {
  constructor(
    private readonly pages: InboxPages,
    private readonly newTickets: NewTicketFlow,
  ) {}

  @Get()
  start(): PageAnswer {
    return { redirect: '/inbox' };
  }

  @Get('inbox')
  list(@Me() me: Me, @Query() query: Parameters): Promise<PageAnswer> {
    return this.pages.list(me, inboxQuery(query));
  }

  @Get('tickets/new')
  showNew(@Me() me: Me, @Query() query: Parameters): Promise<PageAnswer> {
    return this.newTickets.show(me, query);
  }

  @Post('tickets')
  @TakesForm()
  create(@Me() me: Me, @Req() request: FastifyRequest): Promise<PageAnswer> {
    return this.newTickets.create(me, postedForm(request));
  }

  @Get('tickets/:number')
  read(
    @Me() me: Me,
    @Param('number', TicketNumberPipe) number: number,
    @Query() query: Parameters,
  ): Promise<PageAnswer> {
    return this.pages.ticket(me, number, query);
  }

  @Get('messages/:id')
  message(@Me() me: Me, @Param('id', new NamePipe('message')) id: string, @Query() query: Parameters) {
    return this.pages.message(me, id, query['images'] === '1');
  }
}
