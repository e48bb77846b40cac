import { TicketsService } from '#libs/desk';
import { type Ticket } from '#libs/entities';
import { Links, ticketPayload } from '#libs/payloads';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation } from '../../docs/api-operation.js';
import { CreatedResponse, ListResponse } from '../../http/responses.js';
import { Caller } from '../../oauth/caller.js';
import { CreateTicketDto } from './dto/create-ticket.dto.js';
import { CountQueryDto, TicketsQueryDto } from './dto/tickets-query.dto.js';
import { FOLDER_COUNTS } from './folder-counts.schema.js';
import { TICKET_RESPONSE } from './ticket-response.schema.js';
import { TicketNumberPipe } from './ticket-number.pipe.js';

@Controller('v1/tickets')
export class TicketsController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly links: Links,
  ) {}

  @Get()
  @ApiOperation('List tickets', { list: ['tickets', 'Ticket'] })
  async list(@Caller() caller: Caller, @Query() query: TicketsQueryDto) {
    return new ListResponse('tickets', await this.tickets.list(caller, query.toQuery()), this.payload);
  }

  @Post()
  @ApiOperation('Start a ticket', { created: ['ticket', 'Ticket'], emits: ['customer_added', 'ticket_started'] })
  async create(@Caller() caller: Caller, @Body() dto: CreateTicketDto) {
    const ticket = await this.tickets.create(caller, dto.toInput());
    return new CreatedResponse(this.links.ticket(ticket.number), this.present(ticket));
  }

  @Get('count')
  @ApiOperation('Count the tickets of each folder, up to 10,000', { responseSchema: FOLDER_COUNTS })
  count(@Caller() caller: Caller, @Query() query: CountQueryDto) {
    return this.tickets.count(caller, query.mailbox);
  }

  @Get(':number')
  @ApiOperation('Read a ticket; one that is deleted, too, while it can be restored', {
    responseSchema: TICKET_RESPONSE,
  })
  async read(@Caller() caller: Caller, @Param('number', TicketNumberPipe) number: number) {
    const ticket = await this.tickets.read(caller, number);
    const { deletedAt } = ticket;
    return { ...this.present(ticket), ...(deletedAt && { meta: { deleted_at: deletedAt.toISOString() } }) };
  }

  @Delete(':number')
  @HttpCode(204)
  @ApiOperation('Delete a ticket; it can be restored for 30 days', { emits: ['ticket_deleted'] })
  delete(@Caller() caller: Caller, @Param('number', TicketNumberPipe) number: number): Promise<void> {
    return this.tickets.delete(caller, number);
  }

  @Post(':number/restore')
  @HttpCode(200)
  @ApiOperation('Restore a deleted ticket', { record: ['ticket', 'Ticket'] })
  async restore(@Caller() caller: Caller, @Param('number', TicketNumberPipe) number: number) {
    return this.present(await this.tickets.restore(caller, number));
  }

  private readonly payload = (ticket: Ticket) => ticketPayload(ticket, this.links);
  private readonly present = (ticket: Ticket) => ({ ticket: this.payload(ticket) });
}
