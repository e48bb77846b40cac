import { TicketsService } from '#libs/desk';
import { type Ticket } from '#libs/entities';
import { Links, ticketPayload } from '#libs/payloads';
import { Body, Controller, Get, Param, Post, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { BearerGuard, Scopes } from '../oauth/bearer.guard.js';
import { Caller } from '../oauth/caller.js';
import { CreateTicketDto } from './dto/create-ticket.dto.js';
import { TicketNumberPipe } from './ticket-number.pipe.js';

@Controller('v1/tickets')
@UseGuards(BearerGuard)
export class TicketsController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly links: Links,
  ) {}

  @Post()
  @Scopes('write')
  async create(
    @Caller() caller: Caller,
    @Body() dto: CreateTicketDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const ticket = await this.tickets.create(caller, dto.wanted());
    void reply.header('location', this.links.ticket(ticket.number));
    return this.present(ticket);
  }

  @Get(':number')
  @Scopes('read')
  async read(@Caller() caller: Caller, @Param('number', TicketNumberPipe) number: number) {
    return this.present(await this.tickets.read(caller, number));
  }

  private present(ticket: Ticket) {
    return { ticket: ticketPayload(ticket, this.links) };
  }
}
