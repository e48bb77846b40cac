import { DomainError } from '#libs/entities';
import { wholePage } from '#libs/lists';
import { type JsonSchema, Links, RECORDS, json, objectOf, ref } from '#libs/payloads';
import { API_FOLDER_IDS, FOLDERS, type TicketValues, TicketsService, TriageService } from '#libs/tickets';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { Caller, Exchange } from '../layers/edge/caller.js';
import { toHttpProblem } from '../layers/edge/to-http-problem.js';
import { TicketNumberOrNonePipe, TicketNumberPipe } from '../layers/edge/path-parameter.pipes.js';
import { importedOf, showImported } from '../layers/oauth/imports.js';
import { Scopes, ScopesByMethod } from '../layers/oauth/required-scopes.js';
import { ANY_PART_EVENTS } from './ticket-parts.controller.js';
import { ChangeOneTicketDto, MergeTicketDto, TicketBatchDto } from './ticket-parts.dto.js';
import { CreateTicketDto } from './tickets.dto.js';
import { CountQueryDto, IncludeQueryDto, TicketsQueryDto } from './tickets-query.dto.js';

const FOLDER_COUNTS = objectOf(
  Object.fromEntries(
    API_FOLDER_IDS.map((id) => [id, { ...json.countOf(`Tickets in the folder \`${id}\`.`), maximum: 10_000 }]),
  ),
);

const TICKET_RESPONSE: JsonSchema = {
  type: 'object',
  properties: {
    ticket: ref('WholeTicket'),
    meta: objectOf({ deleted_at: json.timeOf('When the ticket was deleted.') }, 'Only on a deleted ticket.'),
  },
  required: ['ticket'],
};

@Controller('v1/tickets')
@ScopesByMethod('tickets:read', 'tickets:write')
export class TicketsController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly triage: TriageService,
    private readonly links: Links,
  ) {}

  @Get()
  @ApiOperation('List tickets', { list: ['tickets', 'WholeTicket'] })
  listTickets(@Caller() caller: Caller, @Query() query: TicketsQueryDto) {
    return this.tickets.listWhole(caller, query.toQuery(), query.include ?? []);
  }

  @Post()
  @Scopes('tickets:write', 'messages:write')
  @ApiOperation('Start a ticket', {
    created: ['ticket', 'Ticket'],
    mayExist: true,
    conflicts: ['external_id_taken'],
    emits: ['customer_added', 'ticket_started'],
  })
  async createTicket(@Caller() caller: Caller, @Body() dto: CreateTicketDto, @Exchange() exchange: Exchange) {
    const given = { ...dto.toInput(), imported: importedOf(dto, caller) };
    if (!given.imported) return this.tickets.create(caller, given);
    return showImported(await this.tickets.import(caller, given), exchange);
  }

  @Get('count')
  @ApiOperation('Count the tickets of each folder, up to 10,000', { responseSchema: FOLDER_COUNTS })
  async countTickets(@Caller() caller: Caller, @Query() query: CountQueryDto) {
    const counts = await this.tickets.count(caller, query.mailbox);
    return Object.fromEntries(API_FOLDER_IDS.map((id) => [id, counts[id]]));
  }

  @Get(':number')
  @ApiOperation('Read a ticket, also a deleted one that can be restored', { responseSchema: TICKET_RESPONSE })
  async readTicket(
    @Caller() caller: Caller,
    @Param('number', TicketNumberPipe) number: number,
    @Query() { include = [] }: IncludeQueryDto,
  ) {
    const whole = await this.tickets.readWhole(caller, number, include);
    const { deletedAt } = whole.ticket;
    const record = { ticket: RECORDS.WholeTicket(whole, this.links) };
    return deletedAt ? { ...record, meta: { deleted_at: deletedAt } } : record;
  }

  @Patch(':number')
  @ApiOperation('Change several parts of a ticket at once; absent ones keep their values', {
    record: ['ticket', 'Ticket'],
    conflicts: ['external_id_taken'],
    emits: ANY_PART_EVENTS,
  })
  changeTicket(
    @Caller() caller: Caller,
    @Param('number', TicketNumberOrNonePipe) number: number,
    @Body() dto: ChangeOneTicketDto,
  ) {
    return this.triage.change(caller, number, dto.toInput());
  }

  @Delete(':number')
  @ApiOperation('Delete a ticket; it can be restored for 30 days', { emits: ['ticket_deleted'] })
  deleteTicket(@Caller() caller: Caller, @Param('number', TicketNumberPipe) number: number): Promise<void> {
    return this.triage.delete(caller, number);
  }

  @Post(':number/restore')
  @ApiOperation('Restore a deleted ticket', { record: ['ticket', 'Ticket'] })
  restoreTicket(@Caller() caller: Caller, @Param('number', TicketNumberPipe) number: number) {
    return this.triage.restore(caller, number);
  }

  @Post(':number/merge')
  @ApiOperation('Merge a ticket into another one, which then has the messages of both', {
    record: ['ticket', 'Ticket'],
    conflicts: ['too_many_messages'],
    emits: ['ticket_opened', 'ticket_tagged'],
  })
  async mergeTicket(
    @Caller() caller: Caller,
    @Param('number', TicketNumberOrNonePipe) number: number,
    @Body() { into }: MergeTicketDto,
  ) {
    return (await this.triage.merge(caller, number, into)).ticket;
  }
}

const RESULT = {
  type: 'object',
  properties: {
    number: json.integer('Number of the ticket.'),
    status: { type: 'integer', description: 'The status that a PATCH of this ticket alone would return.' },
    ticket: ref('Ticket'),
    error: { type: 'string', description: 'Present instead of `ticket` if the ticket could not be changed.' },
    detail: json.text('Explanation of `error`, for people.'),
  },
  required: ['number', 'status'],
};

@Controller('v1/tickets/batch')
@ScopesByMethod('tickets:read', 'tickets:write')
export class TicketBatchController {
  constructor(
    private readonly triage: TriageService,
    private readonly links: Links,
  ) {}

  @Post()
  @ApiOperation('Change several tickets in the same way', {
    responseSchema: objectOf({ results: json.listOf(RESULT, 'One for each ticket, in the order of `numbers`.') }),
    emits: ANY_PART_EVENTS,
  })
  async changeTickets(@Caller() caller: Caller, @Body() dto: TicketBatchDto) {
    const results: object[] = [];
    // In sequence, because each change holds a connection and a lock.
    for (const number of new Set(dto.numbers)) results.push(await this.changeOne(caller, number, dto.toInput()));
    return { results };
  }

  private async changeOne(caller: Caller, number: number, wanted: TicketValues): Promise<object> {
    try {
      const ticket = await this.triage.change(caller, number, wanted);
      return { number, status: 200, ticket: RECORDS.Ticket(ticket, this.links) };
    } catch (refusal) {
      if (!(refusal instanceof DomainError)) throw refusal;
      const { status, error, detail } = toHttpProblem(refusal);
      return { number, status, error, detail };
    }
  }
}

@Controller('v1/folders')
@ScopesByMethod('tickets:read', 'tickets:write')
export class FoldersController {
  @Get()
  @ApiOperation('List the built-in views of tickets', { list: ['folders', 'Folder'] })
  listFolders() {
    return wholePage(API_FOLDER_IDS.map((id) => ({ id, name: FOLDERS[id].name })));
  }
}
