import { TicketsService } from '#libs/desk';
import { type Ticket } from '#libs/entities';
import { Links, ticketPayload } from '#libs/payloads';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { Describe } from '../../docs/describe.js';
import { Created, Listed } from '../../http/answers.js';
import { BearerGuard } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';
import { CreateTicketDto } from './dto/create-ticket.dto.js';
import { CountQueryDto, TicketsQueryDto } from './dto/tickets-query.dto.js';
import { FOLDER_COUNTS } from './folder-counts.schema.js';
import { ONE_TICKET } from './one-ticket.schema.js';
import { TicketNumberPipe } from './ticket-number.pipe.js';

@Controller('v1/tickets')
@UseGuards(BearerGuard)
export class TicketsController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly links: Links,
  ) {}

  @Get()
  @Describe('List tickets', { list: ['tickets', 'Ticket'] })
  async list(@Caller() caller: Caller, @Query() query: TicketsQueryDto) {
    return new Listed('tickets', await this.tickets.list(caller, query.wanted()), this.payload);
  }

  @Post()
  @Describe('Start a ticket', { created: ['ticket', 'Ticket'], emits: ['customer_added', 'ticket_started'] })
  async create(@Caller() caller: Caller, @Body() dto: CreateTicketDto) {
    const ticket = await this.tickets.create(caller, dto.wanted());
    return new Created(this.links.ticket(ticket.number), this.present(ticket));
  }

  @Get('count')
  @Describe('Count the tickets of each folder, up to 10,000', { answers: FOLDER_COUNTS })
  count(@Caller() caller: Caller, @Query() query: CountQueryDto) {
    return this.tickets.count(caller, query.mailbox);
  }

  @Get(':number')
  @Describe('Read a ticket; one that is deleted, too, while it can be restored', { answers: ONE_TICKET })
  async read(@Caller() caller: Caller, @Param('number', TicketNumberPipe) number: number) {
    const ticket = await this.tickets.read(caller, number);
    const { deletedAt } = ticket;
    return { ...this.present(ticket), ...(deletedAt && { meta: { deleted_at: deletedAt.toISOString() } }) };
  }

  @Delete(':number')
  @HttpCode(204)
  @Describe('Delete a ticket; it can be restored for 30 days', { emits: ['ticket_deleted'] })
  delete(@Caller() caller: Caller, @Param('number', TicketNumberPipe) number: number): Promise<void> {
    return this.tickets.delete(caller, number);
  }

  @Post(':number/restore')
  @HttpCode(200)
  @Describe('Restore a deleted ticket', { one: ['ticket', 'Ticket'] })
  async restore(@Caller() caller: Caller, @Param('number', TicketNumberPipe) number: number) {
    return this.present(await this.tickets.restore(caller, number));
  }

  private readonly payload = (ticket: Ticket) => ticketPayload(ticket, this.links);
  private readonly present = (ticket: Ticket) => ({ ticket: this.payload(ticket) });
}
