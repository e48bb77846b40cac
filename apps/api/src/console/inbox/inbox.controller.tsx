import { Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AcceptsMultipartForm, postedForm } from '../../http/multipart-form.js';
import { IdentifierPipe } from '../../http/identifier.pipe.js';
import { Me } from '../../sign-in/session.guard.js';
import { TicketNumberPipe } from '../../rest/tickets/ticket-number.pipe.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import type { PageResponse } from '../../pages/page-response.js';
import { ConsoleInboxService } from './inbox.service.js';
import { parseInboxQuery } from './inbox-query.js';
import { ConsoleNewTicketService } from './new-ticket.service.js';

type QueryParameters = Readonly<Record<string, unknown>>;

@Controller()
@ConsolePages()
export class ConsoleInboxController {
  constructor(
    private readonly pages: ConsoleInboxService,
    private readonly newTickets: ConsoleNewTicketService,
  ) {}

  @Get()
  start(): PageResponse {
    return { redirect: '/inbox' };
  }

  @Get('inbox')
  list(@Me() me: Me, @Query() query: QueryParameters): Promise<PageResponse> {
    return this.pages.list(me, parseInboxQuery(query));
  }

  @Get('tickets/new')
  showNew(@Me() me: Me, @Query() query: QueryParameters): Promise<PageResponse> {
    return this.newTickets.show(me, query);
  }

  @Post('tickets')
  @AcceptsMultipartForm()
  create(@Me() me: Me, @Req() request: FastifyRequest): Promise<PageResponse> {
    return this.newTickets.create(me, postedForm(request));
  }

  @Get('tickets/:number')
  read(
    @Me() me: Me,
    @Param('number', TicketNumberPipe) number: number,
    @Query() query: QueryParameters,
  ): Promise<PageResponse> {
    return this.pages.ticket(me, number, query);
  }

  @Get('messages/:id')
  message(@Me() me: Me, @Param('id', new IdentifierPipe('message')) id: string, @Query() query: QueryParameters) {
    return this.pages.message(me, id, query['images'] === '1');
  }
}
